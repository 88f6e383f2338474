import type { AllocatedInstance } from '#contract/instances.coach.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { ASSESSMENT_ID, currentVersionOf, sectionsOf } from '#server/content/content.ts'
import { answeredGroups } from '#sandbox/demo-accounts/leaning.ts'
import { addTokens } from '#server/ledger/store.ts'
import { ask, coachData, signIn, type Reply, type Person } from '#tests/support/person.ts'
import type { TestServer } from '#tests/support/start-server.ts'

export const ASSESSMENT = ASSESSMENT_ID
export const CONTENT_VERSION = currentVersionOf(ASSESSMENT)
const sections = sectionsOf(CONTENT_VERSION, 'en')

/** An answer to every question, in the form that the portal sends. */
export const everyAnswer = answeredGroups(CONTENT_VERSION, 1).flatMap(({ questionId, value }) => {
  const sectionName = sections.find(({ questions }) => questions.some(({ id }) => id === questionId))?.name ?? ''
  return Object.entries(value).map(([id, answer]) => ({ sectionName, id, answer }))
})

export type Said = { code?: ErrorCode; message?: string }
export type Allocated = AllocatedInstance & Said

export async function coachWith(server: TestServer, email: string, tokens: number, more: object = coachData): Promise<Person> {
  const coach = await signIn(server, email, 'coach', more)
  await giveTokens(server, coach, tokens)
  return coach
}

export async function giveTokens({ deps }: TestServer, coach: Person, amount: number): Promise<void> {
  if (amount === 0) return
  await deps.db.transaction((tx) => addTokens(tx, { coachId: coach.userId, amount, orderId: null }, deps.clock.now()))
}

const path = 'assessment/assessment-instance'

export function allocate(server: TestServer, coach: Person, playerEmail: string, more: object = {}): Promise<Reply<Allocated>> {
  const body = { playerEmail, assessmentId: ASSESSMENT, ...more }
  return ask<Allocated>(server, 'POST', `${path}/allocate`, { bearer: coach.accessToken, body })
}

export function resend(server: TestServer, coach: Person, playerEmail: string, assessmentId = ASSESSMENT, seenDateSent?: string | null) {
  const body = { playerEmail, assessmentId, seenDateSent }
  return ask<Said & { dateSent: string }>(server, 'POST', `${path}/resend`, { bearer: coach.accessToken, body })
}

export function reclaim(server: TestServer, coach: Person, instanceId: string, seenStatus?: string) {
  const query = seenStatus === undefined ? '' : `?seenStatus=${seenStatus}`
  const asked = `${path}/${instanceId}/reclaim${query}`
  return ask<Said & { instanceId: string; status: string }>(server, 'POST', asked, { bearer: coach.accessToken })
}

export async function allocatedTo(server: TestServer, coach: Person, query = '', language = 'en'): Promise<AllocatedInstance[]> {
  const asking = { bearer: coach.accessToken, language }
  return (await ask<{ assessments: AllocatedInstance[] }>(server, 'GET', `assessment/coach/allocated${query}`, asking)).body.assessments
}

export function save(server: TestServer, player: Person, instanceId: string, responses: object[] = everyAnswer) {
  return ask<Said>(server, 'POST', `${path}/responses`, { bearer: player.accessToken, body: { instanceId, responses } })
}

/** The portal calls this when it shows the brief. */
export function openBrief(server: TestServer, player: Person, instanceId: string) {
  return ask<Said | undefined>(server, 'POST', `${path}/${instanceId}/brief-opened`, { bearer: player.accessToken })
}

export function complete(server: TestServer, player: Person, instanceId: string) {
  return ask<Said & { status: string }>(server, 'POST', `${path}/${instanceId}/complete`, { bearer: player.accessToken })
}

interface Counts {
  total: number
  used: number
  available: number
}

/** The counts of GET tokens. Fails unless its rows, the ledger and the instances agree with them. */
export async function tokensOf(server: TestServer, coach: Person): Promise<Counts> {
  const { body } = await ask<Counts & { tokens: { status: string }[] }>(server, 'GET', 'tokens', { bearer: coach.accessToken })
  const { total, used, available } = body
  const rows = (status: string) => body.tokens.filter((one) => one.status === status).length
  const mine = async (table: string) => (await server.rows(table)).filter((row) => row['coach_id'] === coach.userId)
  const ledger = await mine('token_ledger')
  const sum = (...kinds: string[]) =>
    ledger.filter(({ kind }) => kinds.includes(String(kind))).reduce((all, { amount }) => all + Number(amount), 0)
  const given = (await mine('instances')).filter(({ status }) => status !== 'RECLAIMED')
  const said = [total, used, available, rows('AVAILABLE'), rows('PENDING') + rows('COMPLETED')]
  const stored = [sum('bought', 'granted', 'refunded'), sum('spent', 'returned'), total - used, available, given.length]
  if (given.length !== used || said.join() !== stored.join())
    throw new Error(`tokens disagree: the server says ${said.join()}, the database ${stored.join()}`)
  return { total, used, available }
}
