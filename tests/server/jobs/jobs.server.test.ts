import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { sendJob } from '#server/job-engine/engine.ts'
import { catchUpWithClock } from '#server/job-engine/store.ts'
import { queueMail } from '#server/mailer/store.ts'
import { closeAccount, movableClock, signIn, type Person } from '#tests/support/person.ts'
import { engines } from '#tests/support/databases.ts'
import { jobsOf, LONGEST_WAIT_SECONDS, repeat, timePasses } from '#tests/support/jobs.ts'
import type { ServerOptions, TestServer } from '#tests/support/start-server.ts'
import { allocate, allocatedTo, coachWith, complete, reclaim, resend, save } from '#tests/server/instances/support.ts'
import { serverWithMail } from '#tests/server/mailer/support.ts'

const DAYS_30 = 30 * 86_400
const NOBODY = '00000000-0000-4000-8000-000000000000'

async function setUp(options: ServerOptions = {}) {
  const clock = movableClock()
  const { server, smtp } = await serverWithMail({ clock, env: { MAILS_PER_HOUR: '100' }, ...options })
  const coach = await coachWith(server, 'coach@club.test', 10)
  smtp.delivered.length = 0
  const invite = async (email: string) => {
    const { body } = await allocate(server, coach, email)
    await server.deps.jobs.settled('mails')
    return body.instanceId
  }
  /** Until the last try has failed. */
  const giveUp = async () => {
    for (let tries = 0; tries < 11; tries += 1) {
      await timePasses(server, LONGEST_WAIT_SECONDS)
      await server.deps.jobs.settled('mails')
    }
  }
  const states = async () =>
    Object.fromEntries((await allocatedTo(server, coach)).map(({ userEmail, invitation }) => [userEmail[0] ?? '', invitation]))
  return { server, smtp, clock, coach, invite, giveUp, states }
}

describe.each(engines)('jobs (%s)', (database) => {
  test('exist only if the transaction that sends them commits', async () => {
    const { server, smtp, invite } = await setUp({ database })
    const instanceId = await invite('first@club.test')
    const mail = { kind: 'invitation', to: 'x@club.test', toNormal: 'x@club.test', instanceId, language: 'en', facts: {} } as const
    const { db, jobs } = server.deps
    const undone = db.transaction(async (tx) => {
      await queueMail(tx, mail, new Date())
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await jobs.settled('mails')
    expect((await jobsOf(server)).body.total).toBe(0)
    // none that was done either, because it found no mail
    expect((await db.execute(`select from jobs.job where name = 'mails'`)).rows).toHaveLength(1)
    expect(smtp.delivered).toHaveLength(1)
    await db.transaction((tx) => queueMail(tx, mail, new Date()))
    await jobs.settled('mails')
    expect(smtp.delivered.map(({ to }) => to)).toEqual(['first@club.test', 'x@club.test'])
  })

  test('that wait for a time from which the clock was set back wait no longer than they would have', async () => {
    const { server, smtp, invite } = await setUp({ database })
    const { db, jobs } = server.deps
    smtp.replyWith(451)
    await invite('a@club.test')
    const days = 3 * 86_400
    await timePasses(server, -days)
    await db.execute(sql`update jobs.version set cron_on = now() + interval '3 days'`)
    await db.execute(sql`update jobs.queue set monitor_claim_on = now() + interval '3 days'`)
    // one that was never tried
    await db.execute(sql`insert into jobs.job (name, data, start_after, created_on)
      values ('mails', '{"name": "new"}', now() + interval '3 days 1 minute', now() + interval '3 days')`)
    expect(await catchUpWithClock(db)).toBe(2)
    const late = sql`select from jobs.version where cron_on > now() union all select from jobs.queue where monitor_claim_on > now()`
    expect((await db.execute(late)).rows).toEqual([])
    const waiting = (await jobsOf(server)).body.data.map(({ state, tries }) => [state, tries])
    expect(waiting.toSorted()).toEqual([
      ['waiting', 0],
      ['waiting', 1],
    ])
    expect(await catchUpWithClock(db)).toBe(0)
    smtp.replyWith(250)
    await timePasses(server, 61)
    await jobs.settled('mails')
    expect(smtp.delivered.map(({ to }) => to)).toEqual(['a@club.test'])
  })

  test('that failed can be repeated by the operator, one or all, and their mails are then sent', async () => {
    const { server, smtp, invite, giveUp, states } = await setUp({ database })
    smtp.replyWith(550)
    for (const name of ['a', 'b', 'c']) await invite(`${name}@club.test`)
    smtp.replyWith(451)
    await invite('d@club.test')
    // not before this test is over
    await timePasses(server, -3600)
    expect((await jobsOf(server)).body.queues).toContainEqual({ queue: 'mails', waiting: 1, running: 0, failed: 3 })
    expect(await states()).toEqual({ a: 'refused', b: 'refused', c: 'refused', d: 'waiting' })
    const failed = (await jobsOf(server, '?state=failed&limit=1')).body
    expect(failed).toMatchObject({ total: 3, data: [{ state: 'failed', tries: 1, lastError: 'MailError EENVELOPE 550 RCPT TO' }] })
    const [one] = failed.data

    // still refused: it has failed again, and only this one was tried
    const before = smtp.tries()
    smtp.replyWith(550)
    expect(await repeat(server, { queue: 'mails', jobId: one?.jobId })).toMatchObject({ status: 200, body: { repeated: 1 } })
    await server.deps.jobs.settled('mails')
    expect(smtp.tries()).toBe(before + 1)
    expect((await jobsOf(server, '?state=failed')).body.total).toBe(3)

    smtp.replyWith(250)
    expect((await repeat(server, { queue: 'mails', jobId: one?.jobId })).body).toEqual({ repeated: 1 })
    await server.deps.jobs.settled('mails')
    expect(smtp.delivered).toHaveLength(1)
    expect((await repeat(server, { queue: 'mails', jobId: one?.jobId })).body).toMatchObject({ code: 'NOT_FOUND' })

    expect((await repeat(server, { queue: 'mails' })).body).toEqual({ repeated: 3 })
    await server.deps.jobs.settled('mails')
    expect(smtp.delivered.map(({ to }) => to).toSorted()).toEqual(['a', 'b', 'c', 'd'].map((name) => `${name}@club.test`))
    expect(await states()).toEqual({ a: 'sent', b: 'sent', c: 'sent', d: 'sent' })
    expect((await jobsOf(server)).body).toMatchObject({ total: 0, data: [] })

    // after the last try, one more
    smtp.replyWith(451)
    await invite('e@club.test')
    await giveUp()
    expect(await states()).toMatchObject({ e: 'given-up' })
    smtp.replyWith(250)
    expect((await repeat(server, { queue: 'mails' })).body).toEqual({ repeated: 1 })
    await server.deps.jobs.settled('mails')
    expect(await states()).toMatchObject({ e: 'sent' })
  }, 120_000)

  test('are not repeated if their mail was cancelled by a reclaim, a newer invitation or the closing of an account', async () => {
    const { server, smtp, coach, clock, invite } = await setUp({ database })
    smtp.replyWith(550)
    const taken = await invite('taken@club.test')
    await invite('reminded@club.test')
    await reclaim(server, coach, taken)
    smtp.replyWith(250)
    await resend(server, coach, 'reminded@club.test')
    await server.deps.jobs.settled('mails')
    expect((await jobsOf(server)).body.total).toBe(0)
    expect(smtp.delivered.map(({ subject }) => subject)).toEqual([expect.stringContaining('reminder')])

    const player = await signIn(server, 'erased@club.test')
    smtp.replyWith(451)
    await invite('erased@club.test')
    expect((await jobsOf(server)).body.total).toBe(1)
    smtp.replyWith(250)
    await closeAccount(server, player)
    // the mail that says so
    await server.deps.jobs.settled('mails')
    smtp.delivered.length = 0
    clock.forward(DAYS_30 + 1)
    await sweep(server, 'closed-accounts')
    expect((await server.rows('users')).map(({ email }) => email)).not.toContain('erased@club.test')
    expect((await jobsOf(server)).body.total).toBe(0)
    await timePasses(server, LONGEST_WAIT_SECONDS)
    await server.deps.jobs.settled('mails')
    expect(smtp.delivered).toEqual([])
  })

  test('that would send an invitation after the assessment was completed send nothing', async () => {
    const { server, smtp, invite, giveUp } = await setUp({ database })
    const [waits, failed] = [await signIn(server, 'waits@club.test'), await signIn(server, 'failed@club.test')]
    smtp.delivered.length = 0
    smtp.replyWith(550)
    const refused = await invite(failed.email)
    smtp.replyWith(451)
    const waiting = await invite(waits.email)
    const given: [Person, string][] = [
      [waits, waiting],
      [failed, refused],
    ]
    for (const [player, instanceId] of given) {
      await save(server, player, instanceId)
      expect((await complete(server, player, instanceId)).status).toBe(200)
    }
    expect((await jobsOf(server)).body.total).toBe(0)
    smtp.replyWith(250)
    expect((await repeat(server, { queue: 'mails' })).body).toEqual({ repeated: 0 })
    await giveUp()
    expect(smtp.delivered).toEqual([])
  })

  test('that are repeated by two calls at once make one attempt each and send each mail once, even if the mail server was still down', async () => {
    const { server, smtp, invite } = await setUp({ database })
    smtp.replyWith(550)
    for (const name of ['a', 'b', 'c']) await invite(`${name}@club.test`)
    const twice = async () => {
      const replies = await Promise.all([repeat(server, { queue: 'mails' }), repeat(server, { queue: 'mails' })])
      await server.deps.jobs.settled('mails')
      expect(replies.map(({ status }) => status)).toEqual([200, 200])
    }
    const before = smtp.tries()
    smtp.replyWith(451)
    await twice()
    expect(smtp.tries()).toBeGreaterThanOrEqual(before + 3)
    expect((await jobsOf(server)).body.queues).toContainEqual({ queue: 'mails', waiting: 3, running: 0, failed: 0 })
    smtp.replyWith(250)
    await twice()
    expect(smtp.delivered.map(({ to }) => to).toSorted()).toEqual(['a', 'b', 'c'].map((name) => `${name}@club.test`))
    expect((await jobsOf(server)).body.total).toBe(0)
  })

  test('contain no personal data, neither as stored nor as the operator sees them', async () => {
    const { server, smtp, invite } = await setUp({ database })
    smtp.replyWith(550)
    await invite('secret.player@club.test')
    smtp.replyWith(451)
    await invite('other.secret@club.test')
    await breakTable(server, 'sessions')
    await sweep(server, 'old-sessions')
    const stored = JSON.stringify((await server.deps.db.execute('select data, output from jobs.job')).rows)
    const shown = (await jobsOf(server)).text
    expect(shown).toContain('old-sessions')
    for (const text of [stored, shown]) {
      expect(text).not.toMatch(/secret|@|club|coach|complain/i)
      expect(text).toContain('P0001')
    }
  })

  test('that do not exist, or whose name no process knows, give 404; an unknown queue is a bad input', async () => {
    const { server } = await setUp({ database })
    for (const jobId of [NOBODY, 'x', '']) {
      expect(await repeat(server, { queue: 'mails', jobId })).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    }
    expect((await repeat(server, { queue: '__pgboss__send-it' })).body.code).toBe('INVALID_INPUT')
    for (const query of ['?queue=x', '?state=completed', '?limit=101'])
      expect((await jobsOf(server, query)).text).toContain('INVALID_INPUT')
    expect((await repeat(server, { queue: 'sweeps' })).body).toEqual({ repeated: 0 })
  })

  test('if a sweep failed in several hours, repeating runs it once, even while the next one waits', async () => {
    const { server } = await setUp({ database })
    const { db } = server.deps
    await breakTable(server, 'sessions')
    /** As the schedule sends it. */
    const hourly = async () => {
      await sendJob(db, 'sweeps', { name: 'old-sessions' })
      await db.execute(sql`update jobs.job set singleton_key = 'old-sessions' where name = 'sweeps' and singleton_key is null`)
      await server.deps.jobs.settled('sweeps')
    }
    const giveUp = async () => {
      for (let tries = 0; tries < 4; tries += 1) {
        await timePasses(server, LONGEST_WAIT_SECONDS)
        await server.deps.jobs.settled('sweeps')
      }
    }
    const sweeps = async () => (await jobsOf(server, '?queue=sweeps')).body.queues.find(({ queue }) => queue === 'sweeps')
    for (const _hour of [1, 2, 3]) {
      await hourly()
      await giveUp()
    }
    expect(await sweeps()).toMatchObject({ waiting: 0, failed: 3 })
    const [one] = (await jobsOf(server, '?queue=sweeps&state=failed')).body.data
    await hourly()
    expect(await sweeps()).toMatchObject({ waiting: 1, failed: 3 })
    // the one that waits is tried in its place, and fails again
    expect(await repeat(server, { queue: 'sweeps', jobId: one?.jobId })).toMatchObject({ status: 200, body: { repeated: 1 } })
    await server.deps.jobs.settled('sweeps')
    expect(await sweeps()).toMatchObject({ waiting: 1, failed: 2 })
    await giveUp()
    await db.execute('drop trigger complain on sessions')
    expect(await repeat(server, { queue: 'sweeps' })).toMatchObject({ status: 200, body: { repeated: 3 } })
    await server.deps.jobs.settled('sweeps')
    expect(await sweeps()).toMatchObject({ waiting: 0, failed: 0 })
    expect((await db.execute(`select from jobs.job where name = 'sweeps' and state = 'completed'`)).rows).toHaveLength(1)
  }, 60_000)

  test('every repeat is in the audit log', async () => {
    const { server } = await setUp({ database })
    await repeat(server, { queue: 'mails', jobId: NOBODY })
    await repeat(server, { queue: 'sweeps' })
    const calls = (await server.rows('audit_entries')).filter(({ event }) => event === 'operator-call').map(({ about }) => about)
    expect(calls).toEqual(expect.arrayContaining([`jobs.repeat mails ${NOBODY}`, 'jobs.repeat sweeps']))
  })
})

/** Has a sweep done, as the schedule would. */
async function sweep(server: TestServer, name: string): Promise<void> {
  await sendJob(server.deps.db, 'sweeps', { name })
  await server.deps.jobs.settled('sweeps')
}

/** From now on deleting from this table fails, and the database quotes an address. */
async function breakTable({ deps }: TestServer, table: string): Promise<void> {
  await deps.db.execute(
    `create function complain() returns trigger language plpgsql as $$ begin raise exception 'no: coach@club.test'; end $$`,
  )
  await deps.db.execute(sql.raw(`create trigger complain before delete on ${table} for each statement execute function complain()`))
}

// the embedded database has one connection, so two transactions cannot overlap
test.runIf(engines.includes('postgres'))('if a sweep is scheduled while a failed one is repeated, it is done in its place', async () => {
  const { server } = await setUp({ database: 'postgres' })
  const { db, jobs } = server.deps
  const scheduled = async (tx: Database, state: string) => {
    await sendJob(tx, 'sweeps', { name: 'old-sessions' })
    await tx.execute(sql`update jobs.job set singleton_key = 'old-sessions', state = ${state}::jobs.job_state where singleton_key is null`)
  }
  await db.transaction((tx) => scheduled(tx, 'failed'))
  const { repeating } = await db.transaction(async (tx) => {
    await scheduled(tx, 'created')
    const repeating = repeat(server, { queue: 'sweeps' })
    await untilOneWaits(db)
    // in an object, because the transaction would wait for a promise
    return { repeating }
  })
  expect(await repeating).toMatchObject({ status: 200, body: { repeated: 1 } })
  await jobs.settled('sweeps')
  expect((await db.execute(sql`select state from jobs.job where name = 'sweeps'`)).rows).toEqual([{ state: 'completed' }])
})

async function untilOneWaits(db: Database): Promise<void> {
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await db.execute(waiting)).rows.length).toBe(1)
}

test('sweeps that are due together run one after another at once, not one per poll', async () => {
  const { server } = await setUp()
  const names = ['old-mails', 'old-bounces', 'expired-limits', 'lost-mails']
  for (const name of names) {
    await sendJob(server.deps.db, 'sweeps', { name })
    // as the schedule has them: one of each name
    await server.deps.db.execute(sql`update jobs.job set singleton_key = ${name} where name = 'sweeps' and singleton_key is null`)
  }
  server.deps.jobs.wake('sweeps')
  const done = async () =>
    (await server.deps.db.execute(sql`select from jobs.job where name = 'sweeps' and state = 'completed'`)).rows.length
  // a look is every 30 seconds
  await expect.poll(done, { timeout: 20_000 }).toBe(names.length)
}, 60_000)
