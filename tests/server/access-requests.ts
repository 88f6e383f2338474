import { ASSESSMENT } from './instances/support.ts'

/** What each call is sent with, for the tests that make every call of the contract. */

/** Everything of the player's that a call can name. */
export interface Named {
  userId: string
  email: string
  /** to take · with every answer · COMPLETED */
  openInstance: string
  fullInstance: string
  doneInstance: string
  /** ALLOCATED, for a token of the coach's */
  givenInstance: string
  /** the same, to a wrong address */
  wrongInstance: string
  tempKey: string
  /** another device's */
  session: string
  /** that closes the account */
  closing: { session: string; otp: string }
  checkoutSession: string
  /** the coach's own */
  coachId: string
  tokenSession: string
  /** sealed, for `openInstance` */
  answersFile: string
  /** an account of nobody else's */
  erasable: { userId: string; email: string }
  /** of a mail to them */
  unsubscribeToken: string
}

export interface Request {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: object
}

/** Path, query and body with which somebody who may make the call succeeds. */
export function requestOf(name: string, named: Named): Request {
  const { userId, email, openInstance, fullInstance, doneInstance } = named
  switch (name) {
    case 'auth.initiate':
      return { body: { email: 'somebody@club.test', userTypeCode: 'player' } }
    case 'auth.sendOtp':
      return { body: { session: crypto.randomUUID(), email } }
    case 'auth.verifyOtp':
      return { body: { session: crypto.randomUUID(), email, otp: '12345678' } }
    case 'auth.refresh':
    case 'auth.automaticRefresh':
      return { body: { refreshToken: 'nonsense' } }
    case 'auth.accountState':
      return { body: { proof: 'nonsense' } }
    case 'users.get':
    case 'users.withAssessments':
    case 'users.deactivateCode':
    case 'auth.sessions':
    case 'auth.endOtherSessions':
    case 'pictures.avatar':
      return { params: { id: userId } }
    case 'users.deactivate':
      return { params: { id: userId }, body: named.closing }
    case 'auth.endSession':
      return { params: { id: userId, sessionId: named.session } }
    case 'users.update':
      return { params: { id: userId }, body: { firstName: 'Noa' } }
    case 'users.searchByEmail':
      return { query: { email } }
    case 'users.create':
      return { body: { email: 'made@club.test', userTypeCode: 'player' } }
    case 'pictures.uploadUrl':
      return { body: { filename: 'me.jpg', contentType: 'image/jpeg', fileSizeBytes: 1000 } }
    case 'pictures.finalize':
      return { body: { tempKey: named.tempKey, name: 'me.jpg', documentFormat: 'image/jpeg' } }
    case 'users.exportPerson':
      return { params: { userId } }
    case 'users.erase':
      return { params: { userId: named.erasable.userId }, body: { email: named.erasable.email } }
    case 'users.block':
    case 'users.unblock':
      return { body: { email: 'blocked@club.test' } }
    case 'assessments.get':
      return { params: { id: 'touchline-profile' }, query: { userId } }
    case 'assessments.checkout':
      return { params: { priceId: 'price_touchline_profile_launch' } }
    case 'assessments.completeCheckout':
      return { body: { session_id: named.checkoutSession } }
    case 'assessments.resultText':
      return { query: { mbti: 'INTJ', lsi: 'plan', instanceId: doneInstance } }
    case 'jobs.repeat':
      return { body: { queue: 'mails' } }
    case 'assessments.create':
      return { body: OFFER }
    case 'instances.list':
      return { query: { userId } }
    case 'instances.get':
      return { params: { instanceId: openInstance } }
    case 'instances.saveResponses':
      return { body: { instanceId: openInstance, responses: [{ sectionName: 'Section2', id: 's2-q01', answer: 'A' }] } }
    case 'files.bring':
      return { body: { file: named.answersFile } }
    case 'instances.briefOpened':
      return { params: { instanceId: openInstance } }
    case 'instances.complete':
      return { params: { instanceId: fullInstance } }
    case 'instances.calculateResults':
    case 'instances.coachReport':
    case 'instances.report':
    case 'marks.list':
      return { params: { instanceId: doneInstance } }
    case 'marks.save':
      return { params: { instanceId: doneInstance }, body: { marks: [{ paragraph: 'overview-1', mark: 'like', at: 1 }] } }
    case 'instances.allocate':
      return { body: { playerEmail: 'invited@club.test', assessmentId: ASSESSMENT } }
    case 'instances.resendTo':
      // to whom the call before gave one
      return { body: { email: 'invited@club.test' } }
    case 'instances.resend':
      return { body: { playerEmail: email, assessmentId: ASSESSMENT } }
    case 'instances.reclaim':
      return { params: { instanceId: named.givenInstance } }
    case 'instances.correctAddress':
      return { params: { instanceId: named.wrongInstance }, body: { playerEmail: 'corrected@club.test' } }
    case 'instances.update':
    case 'instances.replace':
      return { params: { instanceId: openInstance }, body: { userTeam: 'U19' } }
    case 'instances.create':
      return { body: { userId, assessmentId: 'touchline-profile' } }
    case 'tokens.list':
      return { query: { userId: named.coachId } }
    case 'tokens.checkout':
      return { params: { priceId: 'price_touchline_token', quantity: '12' } }
    case 'tokens.completeCheckout':
      return { body: { session_id: named.tokenSession } }
    case 'mails.stop':
    case 'mails.allow':
      return { query: { token: named.unsubscribeToken } }
    case 'reference.positions':
      return { params: { sportId: 'soccer' } }
    case 'sports.get':
      return { params: { id: 'soccer' } }
    case 'payments.webhook':
      return { body: { id: 'evt_1' } }
    default:
      return {}
  }
}

const OFFER = {
  assessmentId: 'club-profile',
  name: 'Club Profile',
  tagline: 'For a club',
  description: 'For a whole club.',
  estimatedTimeMinutes: 25,
  prices: [{ id: 'price_club', unitAmount: 100, currency: 'USD' }],
  sampleReportFilename: 'club.pdf',
}
