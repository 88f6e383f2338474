import { describe, expect, onTestFinished, test } from 'vitest'
import type { TokenRow } from '#contract/tokens.ts'
import { endLostMails } from '#server/mailer/outcomes-store.ts'
import { deleteOldMails } from '#server/mailer/store.ts'
import { ask } from '#tests/support/person.ts'
import { emptyDatabase, engines } from '#tests/support/databases.ts'
import { jobsOf, LONGEST_WAIT_SECONDS, timePasses } from '#tests/support/jobs.ts'
import { startServer, type ServerOptions, type TestServer } from '#tests/support/start-server.ts'
import { allocate, allocatedTo, reclaim, resend } from '#tests/server/instances/support.ts'
import { waitFor } from '#tests/support/wait-for.ts'
import { coachWithMail, DAY_SECONDS, isFinished, WAITS } from './coach-with-mail.ts'
import { expectStopWaitsForMail } from './support.ts'

async function runningServer(options: ServerOptions): Promise<TestServer> {
  const server = await startServer(options)
  onTestFinished(() => server.close())
  return server
}

const row = async (server: TestServer) => (await server.rows('mails'))[0]

describe('the mail queue', () => {
  test('sends an invitation as soon as it is queued', async () => {
    const { server, smtp, coach } = await coachWithMail()
    await allocate(server, coach, 'p@club.test')
    // within 5 s, before the queue looks for due mails by itself
    await expect.poll(() => smtp.delivered, { timeout: 5000 }).toHaveLength(1)
    await waitFor(() => isFinished(server))
    expect(await row(server)).toMatchObject({ tries: 1, failed_at: null })
  })

  test('sends a mail once although the database takes no writes when the mail server has accepted it', async () => {
    const { server, smtp, coach } = await coachWithMail()
    const { db } = server.deps
    smtp.hold()
    await allocate(server, coach, 'p@club.test')
    await waitFor(async () => smtp.received() > 0)
    // a sequence keeps its count when a transaction fails
    await db.execute('create sequence refused')
    await db.execute(`create function refuse() returns trigger language plpgsql as
      $$ begin perform nextval('refused'); raise exception 'no writes'; end $$`)
    await db.execute('create trigger refuse before update on mails for each row execute function refuse()')
    smtp.release()
    await waitFor(async () => (await db.execute('select from refused where is_called')).rows.length === 1)
    await db.execute('drop trigger refuse on mails')
    await server.deps.jobs.settled('mails')
    await timePasses(server, LONGEST_WAIT_SECONDS)
    await server.deps.jobs.settled('mails')
    expect(smtp.delivered).toHaveLength(1)
    expect(await row(server)).toMatchObject({ tries: 1, failed_at: null, sent_at: expect.any(String) })
  })

  test('does not make an allocation wait for a slow mail server', async () => {
    const { server, smtp, coach } = await coachWithMail()
    smtp.hold()
    expect((await allocate(server, coach, 'p@club.test')).status).toBe(201)
    expect(smtp.delivered).toEqual([])
    // otherwise closing the server would wait for this mail
    smtp.release()
  })

  test('sends other mails while the mail server is slow to accept many', async () => {
    const { server, smtp, coach } = await coachWithMail()
    smtp.hold('slow')
    for (let count = 0; count < 10; count += 1) expect((await allocate(server, coach, `slow${count}@club.test`)).status).toBe(201)
    await expect.poll(() => smtp.received(), { timeout: 15_000 }).toBeGreaterThanOrEqual(6)
    for (const name of ['a', 'b', 'c']) expect((await allocate(server, coach, `${name}@club.test`)).status).toBe(201)
    await expect.poll(() => smtp.delivered.length, { timeout: 20_000 }).toBe(3)
    smtp.release()
    await expect.poll(() => smtp.delivered.length, { timeout: 20_000 }).toBe(13)
    await waitFor(() => isFinished(server))
  })

  test('retries after growing waits, then gives up, and the operator sees why', async () => {
    const { server, smtp, clock, coach } = await coachWithMail()
    smtp.replyWith(451)
    const before = smtp.tries()
    let from = await databaseTime(server)
    await allocate(server, coach, 'p@club.test')
    await server.deps.jobs.settled('mails')
    for (const [place, shortest] of WAITS.entries()) {
      expect(smtp.tries() - before).toBe(place + 1)
      const [job] = (await jobsOf(server)).body.data
      expect(job).toMatchObject({
        queue: 'mails',
        name: 'invitation',
        state: 'waiting',
        tries: place + 1,
        lastError: 'MailError EENVELOPE 451 RCPT TO',
      })
      const next = Date.parse(job?.nextTryAt ?? '')
      const wait = (next - (await databaseTime(server))) / 1000
      expect(next - from).toBeGreaterThan(shortest * 1000 - 1)
      expect(wait).toBeLessThan(Math.min(2 * shortest, 21_600))
      await timePasses(server, wait / 2)
      await server.deps.jobs.settled('mails')
      expect(smtp.tries() - before).toBe(place + 1)
      from = await databaseTime(server)
      await timePasses(server, wait / 2)
      await server.deps.jobs.settled('mails')
    }
    expect(smtp.tries() - before).toBe(WAITS.length + 1)
    expect(await row(server)).toMatchObject({ tries: 0, sent_at: null, failed_at: expect.anything() })
    expect((await jobsOf(server)).body).toMatchObject({
      queues: expect.arrayContaining([{ queue: 'mails', waiting: 0, running: 0, failed: 1 }]),
      data: [{ name: 'invitation', state: 'failed', tries: WAITS.length + 1, nextTryAt: null, failedAt: expect.any(String) }],
    })
    smtp.replyWith(250)
    clock.forward(DAY_SECONDS)
    await timePasses(server, DAY_SECONDS)
    await server.deps.jobs.settled('mails')
    expect(smtp.delivered).toEqual([])
  })

  test('sends a mail once when the mail server accepts it again', async () => {
    const { server, smtp, clock, coach } = await coachWithMail()
    smtp.replyWith(451)
    await allocate(server, coach, 'p@club.test')
    await server.deps.jobs.settled('mails')
    smtp.replyWith(250)
    for (let look = 0; look < 3; look += 1) {
      clock.forward(60)
      await timePasses(server, 60)
      await server.deps.jobs.settled('mails')
    }
    expect(smtp.delivered.map(({ to }) => to)).toEqual(['p@club.test'])
    expect(await row(server)).toMatchObject({ tries: 1, failed_at: null })
  })

  test('sends a mail again under the same Message-ID, also if the first was delivered and its reply lost', async () => {
    const { server, smtp, coach } = await coachWithMail()
    smtp.loseReplies()
    await allocate(server, coach, 'p@club.test')
    await server.deps.jobs.settled('mails')
    smtp.replyWith(250)
    await timePasses(server, LONGEST_WAIT_SECONDS)
    await server.deps.jobs.settled('mails')
    const ids = smtp.delivered.map(({ headers }) => headers['message-id'])
    expect(ids).toEqual([expect.stringMatching(/^<[a-p-]{36}@/), ids[0]])
    expect(await row(server)).toMatchObject({ tries: 1, failed_at: null })
  })

  test('does not retry an address that the mail server refuses permanently', async () => {
    const { server, smtp, clock, coach } = await coachWithMail()
    smtp.replyWith(550)
    await allocate(server, coach, 'p@club.test')
    await server.deps.jobs.settled('mails')
    const tries = smtp.tries()
    expect(await row(server)).toMatchObject({ tries: 1, sent_at: null, failed_at: expect.anything() })
    clock.forward(DAY_SECONDS)
    await timePasses(server, DAY_SECONDS)
    await server.deps.jobs.settled('mails')
    expect(smtp.tries()).toBe(tries)
  })

  test('keeps a mail while the mail server refuses our own address, which is not the player’s', async () => {
    const { server, smtp, coach } = await coachWithMail()
    smtp.refuseSender()
    await allocate(server, coach, 'p@club.test')
    await server.deps.jobs.settled('mails')
    expect(await row(server)).toMatchObject({ tries: 0, sent_at: null, failed_at: null })
    smtp.replyWith(250)
    await timePasses(server, LONGEST_WAIT_SECONDS)
    await server.deps.jobs.settled('mails')
    expect(smtp.delivered).toHaveLength(1)
  })

  test('shows the coach the state of each invitation', async () => {
    const { server, smtp, coach } = await coachWithMail()
    const shown = async () => {
      const { body } = await ask<{ tokens: TokenRow[] }>(server, 'GET', 'tokens', { bearer: coach.accessToken })
      const [instance] = await allocatedTo(server, coach)
      expect(instance?.invitation).toBe(body.tokens[0]?.invitation)
      return instance?.invitation
    }
    smtp.replyWith(451)
    expect((await allocate(server, coach, 'p@club.test')).body.invitation).toBe('waiting')
    await server.deps.jobs.settled('mails')
    expect(await shown()).toBe('waiting')
    smtp.replyWith(550)
    await timePasses(server, 60)
    await server.deps.jobs.settled('mails')
    expect(await shown()).toBe('refused')
    smtp.replyWith(250)
    smtp.hold()
    expect((await resend(server, coach, 'p@club.test')).status).toBe(200)
    expect(await shown()).toBe('waiting')
    smtp.release()
    await server.deps.jobs.settled('mails')
    expect(await shown()).toBe('sent')
    // the mail server refuses temporarily until the last retry
    smtp.replyWith(451)
    await resend(server, coach, 'p@club.test')
    await server.deps.jobs.settled('mails')
    for (const _ of WAITS) {
      await timePasses(server, LONGEST_WAIT_SECONDS)
      await server.deps.jobs.settled('mails')
    }
    expect((await server.rows('instances'))[0]).toMatchObject({ invitation: 'given-up' })
  })

  test('does not delay other mails because of one that fails', async () => {
    const { server, smtp, coach } = await coachWithMail()
    smtp.replyWith(451)
    await allocate(server, coach, 'first@club.test')
    await server.deps.jobs.settled('mails')
    smtp.replyWith(250)
    for (let i = 0; i < 12; i += 1) await allocate(server, coach, `p${i}@club.test`)
    await server.deps.jobs.settled('mails')
    expect(smtp.delivered).toHaveLength(12)
  })

  test('gives up on a mail whose job is lost, and on no other', async () => {
    const { server, smtp, clock, coach } = await coachWithMail()
    smtp.replyWith(451)
    await allocate(server, coach, 'lost@club.test')
    await server.deps.jobs.settled('mails')
    await server.deps.db.execute('delete from jobs.job')
    await allocate(server, coach, 'waits@club.test')
    await server.deps.jobs.settled('mails')
    clock.forward(DAY_SECONDS)
    await endLostMails(server.deps.db, clock.now())
    expect((await server.rows('mails')).filter((mail) => mail['failed_at'] !== null)).toEqual([])
    clock.forward(1)
    await endLostMails(server.deps.db, clock.now())
    const invitations = (await server.rows('instances')).map((one) => [one['email'], one['invitation']])
    expect(Object.fromEntries(invitations)).toEqual({ 'lost@club.test': 'given-up', 'waits@club.test': 'waiting' })
  })

  test('deletes mails 30 days after they were sent or given up, and no waiting mail', async () => {
    const { server, smtp, clock, coach } = await coachWithMail()
    const { instanceId } = (await allocate(server, coach, 'p@club.test')).body
    await allocate(server, coach, 'pending@club.test')
    await server.deps.jobs.settled('mails')
    await reclaim(server, coach, instanceId)
    await server.deps.jobs.settled('mails')
    smtp.replyWith(451)
    await allocate(server, coach, 'open@club.test')
    await server.deps.jobs.settled('mails')
    const left = async () => (await server.rows('mails')).map(({ to }) => to).toSorted()
    clock.forward(30 * DAY_SECONDS)
    await deleteOldMails(server.deps.db, clock.now())
    expect(await left()).toEqual(['open@club.test', 'p@club.test', 'p@club.test', 'pending@club.test'])
    clock.forward(1)
    await deleteOldMails(server.deps.db, clock.now())
    // a reclaim may have to tell of the other
    expect(await left()).toEqual(['open@club.test', 'pending@club.test'])
  })
})

const databaseTime = async ({ deps }: TestServer) => {
  const { rows } = await deps.db.execute<{ now: number }>('select (extract(epoch from now()) * 1000)::float8 as now')
  return rows[0]?.now ?? 0
}

describe.runIf(engines.includes('postgres'))('several servers on one database', () => {
  test('send each mail once', async () => {
    const { location, drop } = await emptyDatabase('postgres')
    onTestFinished(drop)
    const one = await coachWithMail({ location })
    const { server, smtp, clock, coach } = one
    const env = { SMTP_URL: smtp.url }
    const others = [await runningServer({ location, clock, env }), await runningServer({ location, clock, env })]
    smtp.replyWith(451)
    for (let i = 0; i < 40; i += 1) await allocate(server, coach, `p${i}@club.test`)
    await server.deps.jobs.settled('mails')
    smtp.replyWith(250)
    await timePasses(server, 60)
    await Promise.all([server, ...others].flatMap(({ deps }) => [deps.jobs.settled('mails'), deps.jobs.settled('mails')]))
    expect(smtp.delivered.map(({ to }) => to).toSorted()).toEqual(Array.from({ length: 40 }, (_, i) => `p${i}@club.test`).toSorted())
  })

  test('finish and record the mail being sent when they stop', async () => {
    const { location, drop } = await emptyDatabase('postgres')
    onTestFinished(drop)
    const { server, smtp, clock, coach } = await coachWithMail({ location })
    smtp.hold()
    const tries = smtp.tries()
    await allocate(server, coach, 'p@club.test')
    await waitFor(() => smtp.tries() > tries)
    await expectStopWaitsForMail(server, smtp)
    expect(smtp.delivered).toHaveLength(1)
    const next = await runningServer({ location, clock, env: { SMTP_URL: smtp.url } })
    await timePasses(next, DAY_SECONDS)
    await next.deps.jobs.settled('mails')
    expect(smtp.delivered).toHaveLength(1)
    expect(await row(next)).toMatchObject({ tries: 1, sent_at: expect.anything() })
  })

  test('send waiting mails after a restart', async () => {
    const { location, drop } = await emptyDatabase('postgres')
    onTestFinished(drop)
    const { server, smtp, clock, coach } = await coachWithMail({ location })
    smtp.replyWith(451)
    await allocate(server, coach, 'p@club.test')
    await server.deps.jobs.settled('mails')
    // otherwise this server could try the mail once more, and the next would have to wait
    await server.deps.jobs.close()
    await timePasses(server, 60)
    await server.close()
    smtp.replyWith(250)
    await runningServer({ location, clock, env: { SMTP_URL: smtp.url } })
    await expect.poll(() => smtp.delivered, { timeout: 5000 }).toHaveLength(1)
  })
})
