import { PgBoss } from 'pg-boss'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sql } from 'drizzle-orm'
import { emptyDatabase, engines } from '#tests/support/databases.ts'
import { installation } from '#tests/support/installation.ts'
import { timePasses } from '#tests/support/jobs.ts'
import { movableClock } from '#tests/support/person.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'
import { allocate, coachWith } from '#tests/server/instances/support.ts'
import { serverWithMail } from '#tests/server/mailer/support.ts'
import { waitFor } from '#tests/support/wait-for.ts'

const TIMEOUT_MS = 480_000
const MAILS = 100
const address = (place: number) => `p${place}@club.test`
const countOf = (all: string[], one: string) => all.filter((other) => other === one).length

async function sharedDatabase() {
  const { location, drop } = await emptyDatabase('postgres')
  onTestFinished(drop)
  if (!('url' in location)) throw new Error('no address')
  return location
}

/** What a server of the fleet does each minute: has the jobs of killed processes tried again. */
async function supervise(url: string): Promise<void> {
  const boss = new PgBoss({
    connectionString: url,
    schema: 'jobs',
    migrate: false,
    supervise: false,
    schedule: false,
    registerInstance: false,
  })
  boss.on('error', (error) => {
    throw error
  })
  await boss.start()
  await boss.supervise()
  await boss.stop()
}

const statesOf = async (server: TestServer) =>
  (
    await server.deps.db.execute<{ state: string; count: number }>(
      sql`select state::text, count(*)::int as count from jobs.job where name = 'mails' group by 1`,
    )
  ).rows

describe.runIf(engines.includes('postgres'))('several processes on one database', () => {
  test(
    'that are killed lose no mail, and repeat only mails that were just being sent',
    async () => {
      const location = await sharedDatabase()
      const { server, smtp } = await serverWithMail({ location, clock: movableClock(new Date()), env: { MAILS_PER_HOUR: '1000' } })
      const coach = await coachWith(server, 'coach@club.test', MAILS)
      smtp.delivered.length = 0
      smtp.replyWith(451)
      for (let place = 0; place < MAILS; place += 1) expect((await allocate(server, coach, address(place))).status).toBe(201)
      await server.deps.jobs.settled('mails')
      smtp.replyWith(250)
      // from now on only the three send
      await server.deps.jobs.close()
      const settings = { DATABASE_URL: location.url, SMTP_URL: smtp.url, DATABASE_CONNECTIONS: '4' }
      const fleet = await Promise.all([0, 1, 2].map(() => installation(settings)))
      await timePasses(server, 61)
      await Promise.all(fleet.map((one) => one.start()))
      const delivered = (count: number) => waitFor(() => smtp.delivered.length >= count, TIMEOUT_MS / 2)
      // those that each kill found being sent
      const interrupted: string[] = []
      const kill = async () => {
        await Promise.all(fleet.map((one) => one.kill()))
        const unsent = (await server.rows('mails')).filter((mail) => mail['sent_at'] === null)
        interrupted.push(...unsent.filter(({ to, tries }) => Number(tries) > countOf(interrupted, String(to))).map(({ to }) => String(to)))
      }
      await delivered(5)
      // the mail server accepts some, but whoever sent them is not there to hear it
      smtp.hold()
      const received = smtp.received()
      await waitFor(() => smtp.received() >= received + 3, TIMEOUT_MS / 2)
      await kill()
      smtp.release()
      await Promise.all(fleet.map((one) => one.start()))
      await delivered(40)
      await kill()
      // a job of a killed process is taken again once its time is up: 2 minutes, then the wait before another try
      await timePasses(server, 121)
      await supervise(location.url)
      await timePasses(server, 61)
      await fleet[0]?.start()
      await waitFor(async () => (await statesOf(server)).every(({ state }) => state === 'completed'), TIMEOUT_MS / 2)
      expect([...new Set(smtp.delivered.map(({ to }) => to))].toSorted()).toEqual(
        Array.from({ length: MAILS }, (_, place) => address(place)).toSorted(),
      )
      const sentAgain = smtp.delivered.map(({ to }) => to).filter((to, place, all) => all.indexOf(to) !== place)
      expect(sentAgain.length).toBeGreaterThan(0)
      for (const to of sentAgain) expect(countOf(sentAgain, to), to).toBeLessThanOrEqual(countOf(interrupted, to))
      // a second copy has the id of the first
      expect(new Set(smtp.delivered.map(({ to, headers }) => `${to} ${headers['message-id']}`)).size).toBe(MAILS)
      expect((await server.rows('mails')).filter((mail) => mail['sent_at'] === null)).toEqual([])
      console.info(
        `${MAILS} mails, 3 processes, ${2 * fleet.length} kills: ${interrupted.length} interrupted, ${sentAgain.length} sent twice, 0 lost`,
      )
    },
    TIMEOUT_MS,
  )

  test(
    'run each hourly sweep once',
    async () => {
      const location = await sharedDatabase()
      // as if the fleet had been down for two hours
      const first = await startServer({ location, isScheduling: true })
      await first.deps.db.execute(`update jobs.schedule set created_on = created_on - interval '1 day'`)
      const { rows: scheduled } = await first.deps.db.execute(`select key from jobs.schedule where name = 'sweeps'`)
      await first.close()
      const server = await startServer({ location })
      onTestFinished(() => server.close())
      await server.deps.db.execute(`update jobs.version set cron_on = now() - interval '2 hours'`)
      await server.deps.db.execute(`delete from jobs.job`)
      const due = new Date().getUTCMinutes() === 7 ? 2 : 1
      const fleet = await Promise.all([0, 1, 2].map(() => startServer({ location, isScheduling: true })))
      for (const one of fleet) onTestFinished(() => one.close())
      const jobs = async () =>
        (
          await server.deps.db.execute<{ name: string; state: string }>(
            `select data ->> 'name' as name, state::text from jobs.job where name = 'sweeps'`,
          )
        ).rows
      const forwarding = sql`select from jobs.job where name not in ('mails', 'sweeps') and state <> 'completed'`
      await waitFor(async () => new Set((await jobs()).map(({ name }) => name)).size === scheduled.length, TIMEOUT_MS / 2)
      expect(scheduled.length).toBeGreaterThan(10)
      await waitFor(async () => (await server.deps.db.execute(forwarding)).rows.length === 0, TIMEOUT_MS / 2)
      await server.deps.jobs.settled('sweeps')
      const done = await jobs()
      expect(new Set(done.map(({ state }) => state))).toEqual(new Set(['completed']))
      const names = done.map(({ name }) => name)
      const most = Math.max(...names.map((name) => names.filter((one) => one === name).length))
      expect(most).toBeLessThanOrEqual(due)
    },
    TIMEOUT_MS,
  )
})
