import { readFile } from 'node:fs/promises'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { TokenRow } from '#contract/tokens.ts'
import { deleteOldBounces } from '#server/mailer/bounces-store.ts'
import { ask, movableClock, signIn, type Person } from '#tests/support/person.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { allocate, allocatedTo, coachWith, resend, tokensOf } from '../instances/support.ts'
import { secretOf } from '../production-settings.ts'
import { serverWithMail, type FakeMailServer } from '../mailer/support.ts'

/** Mail that came back after the mail server had accepted it. MAIL-12, docs/decisions/0058 */

const [NEW, OLD] = [secretOf('bounces'), secretOf('older bounces')]
const DAY_SECONDS = 86_400

let server: TestServer
let smtp: FakeMailServer
let clock: ReturnType<typeof movableClock>
let coach: Person
let report: string

beforeAll(async () => {
  report = await readFile(new URL('../mailer/delivery-reports/exim-nouser.eml', import.meta.url), 'utf8')
})
beforeEach(async () => {
  clock = movableClock()
  const env = { MAIL_BOUNCE_KEY: `${NEW},${OLD}`, MAILS_PER_HOUR: '100', PUBLIC_URL: 'https://portal.test' }
  ;({ server, smtp } = await serverWithMail({ clock, env }))
  coach = await coachWith(server, 'coach@club.test', 10)
  smtp.delivered.length = 0
})

const post = (body: string, headers: Record<string, string> = { authorization: `Bearer ${NEW}` }) =>
  ask<{ isKnown?: boolean; code?: string }>(server, 'POST', 'mail/bounce', {
    body,
    headers: { 'content-type': 'message/rfc822', ...headers },
  })

/** The report of a mail server about the newest mail. */
const bounce = async (diagnostic = '550 5.1.1 User unknown', messageId = newestId()) =>
  (await post(report.replaceAll('MESSAGE-ID', messageId).replaceAll('550 5.1.1 User unknown', diagnostic))).body.isKnown

const newestId = () => /^<([\w-]+)@/.exec(smtp.delivered.at(-1)?.headers['message-id'] ?? '')?.[1] ?? ''

async function give(email: string, giver = coach) {
  const reply = await allocate(server, giver, email)
  await server.deps.jobs.settled('mails')
  return reply
}

/** What the coach sees of an invitation, in the team and in the tokens. */
async function shown(email: string, who = coach) {
  const { body } = await ask<{ tokens: TokenRow[] }>(server, 'GET', 'tokens', { bearer: who.accessToken })
  const token = body.tokens.find(({ assignedTo }) => assignedTo === email)
  const inTeam = (await allocatedTo(server, who)).find(({ userEmail }) => userEmail === email)
  expect([inTeam?.invitation, inTeam?.bounced]).toEqual([token?.invitation, token?.bounced])
  return { invitation: token?.invitation, bounced: token?.bounced }
}

const bounces = async () =>
  (await ask<{ data: object[]; total: number }>(server, 'GET', 'mail/bounce', { bearer: server.deps.keys.operatorKey })).body

describe('a bounce report', () => {
  test('is accepted only with a key from the settings, as bearer token or password', async () => {
    await give('p@club.test')
    const body = report.replaceAll('MESSAGE-ID', newestId())
    const basic = (key: string) => ({ authorization: `Basic ${Buffer.from(`mail:${key}`).toString('base64')}` })
    for (const headers of [
      {},
      { authorization: `Bearer ${NEW}x` },
      basic('wrong'),
      { authorization: `Bearer ${server.deps.keys.operatorKey}` },
    ]) {
      const { status, body: reply } = await post(body, { authorization: '', ...headers })
      expect([status, reply.code]).toEqual([401, 'INVALID_TOKEN'])
    }
    expect((await shown('p@club.test')).invitation).toBe('sent')
    // the sender will give up: the operator sees it, of all processes, and in the metrics
    expect(await server.deps.limits.hits()).toEqual([{ limit: 'bounceKeys', callers: 1, maximum: 0, windowSeconds: DAY_SECONDS }])
    expect((await server.deps.metrics.read()).text).toContain('touchline_limits_hit_total{limit="bounceKeys"} 4')
    for (const headers of [{ authorization: `Bearer ${OLD}` }, basic(NEW)])
      expect((await post(body, headers)).body).toEqual({ isKnown: true })
    expect((await shown('p@club.test')).invitation).toBe('refused')
  })

  test('gets 404 from a server without a key', async () => {
    const other = await startServer()
    onTestFinished(() => other.close())
    const reply = await ask<{ code: string }>(other, 'POST', 'mail/bounce', {
      body: report,
      headers: { 'content-type': 'message/rfc822', authorization: 'Bearer ' },
    })
    expect([reply.status, reply.body.code]).toEqual([404, 'NOT_FOUND'])
  })

  test('that is not a delivery report is refused, and nothing changes', async () => {
    await give('p@club.test')
    const headers = { authorization: `Bearer ${NEW}` }
    for (const body of ['', 'Out of office', `Message-ID: <${newestId()}@touchline.test>`, '\0\xff'])
      expect([(await post(body, headers)).status, body]).toEqual([400, body])
    for (const body of ['{', '[]', '{"messageId":5}'])
      expect((await post(body, { ...headers, 'content-type': 'application/json' })).status).toBe(400)
    expect((await shown('p@club.test')).invitation).toBe('sent')
  })

  test('about a mail that is not ours, or about a mail with a code, changes nothing', async () => {
    await give('p@club.test')
    await signIn(server, 'somebody@club.test')
    expect(await bounce(undefined, newestId())).toBe(false) // the code's
    expect(await bounce(undefined, 'gggggggg-gggg-kggg-oggg-gggggggggggg')).toBe(false)
    expect(await bounce(undefined, 'p@club.test')).toBe(false)
    expect((await shown('p@club.test')).invitation).toBe('sent')
    expect(await bounces()).toEqual({ data: [], total: 0 })
  })

  test('may have the format of a mail provider', async () => {
    await give('p@club.test')
    const body = JSON.stringify({ messageId: `<${newestId()}@touchline.test>`, status: '5.1.1', event: 'bounce' })
    const headers = { authorization: `Bearer ${NEW}`, 'content-type': 'application/json' }
    expect((await post(body, headers)).body).toEqual({ isKnown: true })
    expect((await shown('p@club.test')).bounced).toMatchObject({ why: 'unknown-address' })
  })
})

describe('an invitation that bounced', () => {
  test('is shown as bounced to the coach and the operator, once', async () => {
    const { instanceId } = (await give('p@club.test')).body
    const sentAt = clock.now().toISOString()
    clock.forward(90)
    const at = clock.now().toISOString()
    expect(await bounce()).toBe(true)
    expect(await shown('p@club.test')).toEqual({ invitation: 'refused', bounced: { at, why: 'unknown-address' } })
    clock.forward(90)
    expect(await bounce('552 5.2.2 Mailbox full')).toBe(true)
    expect(await shown('p@club.test')).toEqual({ invitation: 'refused', bounced: { at, why: 'unknown-address' } })
    const mailId = String((await server.rows('mails'))[0]?.['id'])
    const expected = { mailId, kind: 'invitation', instanceId, sentAt, bouncedAt: at, why: 'unknown-address', code: '550 5.1.1' }
    expect(await bounces()).toEqual({ data: [expected], total: 1 })
  })

  test('is shown even if the report arrives before the mail server’s reply to us', async () => {
    smtp.hold()
    await allocate(server, coach, 'p@club.test')
    await waitFor(async () => (await server.rows('mails'))[0]?.['tries'] === 1)
    const id = String((await server.rows('mails'))[0]?.['id']).replaceAll(/\d/g, (digit) => String.fromCharCode(103 + Number(digit)))
    expect(await bounce(undefined, id)).toBe(true)
    smtp.release()
    await server.deps.jobs.settled('mails')
    expect((await server.rows('mails'))[0]?.['sent_at']).not.toBeNull()
    expect((await shown('p@club.test')).invitation).toBe('refused')
  })

  test('because the address does not exist is followed by no other: no reminder, none from another coach, none that was waiting', async () => {
    await give('p@club.test')
    const other = await coachWith(server, 'other@club.test', 2)
    smtp.delivered.pop()
    smtp.replyWith(451)
    await give('p@club.test', other)
    smtp.replyWith(250)
    await bounce()
    const reminder = await resend(server, coach, 'p@club.test')
    expect([reminder.status, reminder.body.code]).toEqual([409, 'MAIL_BOUNCED'])
    expect(await server.rows('instances')).toEqual(
      expect.arrayContaining([expect.objectContaining({ coach_id: coach.userId, resends: 0 })]),
    )
    const { wake } = server.deps.jobs
    await server.deps.db.execute("update jobs.job set start_after = now() - interval '1 hour'")
    wake('mails')
    await server.deps.jobs.settled('mails')
    // with the reason, also where the mail waited
    const at = clock.now().toISOString()
    expect(await shown('p@club.test', other)).toEqual({ invitation: 'refused', bounced: { at, why: 'unknown-address' } })
    expect(smtp.delivered.filter(({ to }) => to === 'p@club.test')).toHaveLength(1)
    // the assessment is allocated all the same
    const third = await coachWith(server, 'third@club.test', 1)
    expect((await give('p@club.test', third)).body).toMatchObject({
      status: 'ALLOCATED',
      invitation: 'refused',
      bounced: { why: 'unknown-address' },
    })
    expect(await tokensOf(server, third)).toMatchObject({ used: 1 })
    expect(smtp.delivered.filter(({ to }) => to === 'p@club.test')).toHaveLength(1)
    // whoever has the address after all can sign in, and finds it
    const player = await signIn(server, 'p@club.test')
    expect(
      (
        await ask<{ assessments: object[] }>(server, 'GET', `user/${player.userId}/profile-with-assessments`, {
          bearer: player.accessToken,
        })
      ).status,
    ).toBe(200)
  })

  test('can be sent again by the operator at once, and by the coach after 30 days', async () => {
    await give('p@club.test')
    await bounce()
    const bearer = server.deps.keys.operatorKey
    const body = { email: 'P@club.test' }
    const again = await ask<{ data: object[] }>(server, 'POST', 'assessment/assessment-instance/resend-to', { bearer, body })
    expect(again.body.data).toEqual([expect.objectContaining({ outcome: 'queued' })])
    await server.deps.jobs.settled('mails')
    expect(await shown('p@club.test')).toEqual({ invitation: 'sent', bounced: null })
    clock.forward(1)
    expect(await bounce()).toBe(true)
    expect((await resend(server, coach, 'p@club.test')).status).toBe(409)
    clock.forward(30 * DAY_SECONDS)
    expect((await resend(server, await reentered(), 'p@club.test')).status).toBe(200)
    expect(await server.rows('bounced_addresses')).toHaveLength(1)
    await deleteOldBounces(server.deps.db, new Date(clock.now().getTime() + 1000))
    expect(await server.rows('bounced_addresses')).toEqual([])
  })

  const reentered = () => signIn(server, 'coach@club.test', 'coach')

  test.each([
    ['552 5.2.2 Mailbox full', 'mailbox-full'],
    ['550 5.7.1 Rejected', 'not-accepted'],
    ['451 4.3.0 Try later: retry timeout exceeded', 'not-accepted'],
  ])('for another reason, %s, can be resent', async (diagnostic, why) => {
    await give('p@club.test')
    await bounce(diagnostic)
    expect(await shown('p@club.test')).toMatchObject({ invitation: 'given-up', bounced: { why } })
    expect((await resend(server, coach, 'p@club.test')).status).toBe(200)
    await server.deps.jobs.settled('mails')
    expect(await shown('p@club.test')).toEqual({ invitation: 'sent', bounced: null })
  })

  test('does not affect a reminder that was sent since', async () => {
    await give('p@club.test')
    const first = newestId()
    clock.forward(60)
    await resend(server, coach, 'p@club.test')
    await server.deps.jobs.settled('mails')
    expect(newestId()).not.toBe(first)
    await bounce('552 5.2.2 Mailbox full', first)
    expect(await shown('p@club.test')).toEqual({ invitation: 'sent', bounced: null })
    await bounce('552 5.2.2 Mailbox full')
    expect((await shown('p@club.test')).invitation).toBe('given-up')
  })

  test('is erased with the account, and so is its address', async () => {
    const player = await signIn(server, 'p@club.test')
    await give('p@club.test')
    await bounce()
    const bearer = server.deps.keys.operatorKey
    await ask(server, 'POST', `user/${player.userId}/erase`, { bearer, body: { email: 'p@club.test' } })
    expect(await server.rows('bounced_addresses')).toEqual([])
    expect(await bounce()).toBe(false)
  })
})
