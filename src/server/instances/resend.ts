import type { instancesForCoach } from '#contract/instances.coach.ts'
import { normalEmail } from '#contract/rules/email.ts'
import type { Handler } from '../http/handler.ts'
import { resendInvitation } from './allocation-store.ts'

/** POST assessment/assessment-instance/resend. ASSIGN-17, MAIL-4 */
export const resend: Handler<typeof instancesForCoach.resend> = async ({ body, caller, refuse, deps }) => {
  const now = deps.clock.now()
  const { playerEmail, assessmentId, seenDateSent } = body
  const seen = seenDateSent === undefined ? undefined : new Date(seenDateSent)
  const wanted = { coachId: caller.userId, assessmentId, emailNormal: normalEmail(playerEmail), seen }
  const resending = await resendInvitation(deps.db, wanted, now)
  switch (resending.kind) {
    case 'completed':
      return refuse('ALREADY_COMPLETED')
    case 'resent':
      return refuse('ALREADY_RESENT')
    case 'limit':
      return refuse('RESEND_LIMIT')
    case 'address-limit':
      return refuse('ADDRESS_LIMIT', { retryAfter: resending.seconds })
    case 'unwanted':
      return refuse('INVITATION_UNWANTED')
    case 'bounced':
      return refuse('MAIL_BOUNCED')
    case 'unknown':
      return refuse('NOT_FOUND')
    case 'queued':
  }
  deps.jobs.wake('mails')
  return { dateSent: resending.at.toISOString() }
}
