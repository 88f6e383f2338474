import { sql } from 'drizzle-orm'
import { PgBoss } from 'pg-boss'
import { describe, expect, onTestFinished, test } from 'vitest'
import { emptyDatabase, engines } from '#tests/support/databases.ts'
import { installation } from '#tests/support/installation.ts'
import { timePasses } from '#tests/support/jobs.ts'
import { signIn, type Person } from '#tests/support/person.ts'
import { poolTo } from '#tests/support/postgres.ts'
import { startServer } from '#tests/support/start-server.ts'
import { save } from '#tests/server/instances/support.ts'

const PEOPLE = 6
/** at whose erasure the process is killed */
const KILLED_AT = 3

describe.runIf(engines.includes('postgres'))('a sweep whose process is killed with SIGKILL', () => {
  test('leaves nothing half done, and the next process does the rest exactly once', async () => {
    const { location, drop } = await emptyDatabase('postgres')
    onTestFinished(drop)
    if (!('url' in location)) throw new Error('no address')
    const server = await startServer({ location })
    onTestFinished(server.close)
    const { db } = server.deps
    const people: (Person & { instanceId: string })[] = []
    for (let place = 0; place < PEOPLE; place += 1) {
      const person = await signIn(server, `closed${place}@club.test`)
      const instanceId = await server.giveInstance(person)
      expect((await save(server, person, instanceId)).status).toBe(200)
      people.push({ ...person, instanceId })
      // closed so long ago that they are to be erased, in this order
      await db.execute(
        sql`update users set deactivated_at = now() - interval '40 days' + ${place} * interval '1 hour' where id = ${person.userId}`,
      )
    }
    const boss = new PgBoss({
      connectionString: location.url,
      schema: 'jobs',
      migrate: false,
      supervise: false,
      schedule: false,
      registerInstance: false,
    })
    const failures: unknown[] = []
    boss.on('error', (error) => failures.push(error))
    await boss.start()
    onTestFinished(() => boss.stop())
    // only the process that will be killed does sweeps
    await server.deps.jobs.close()

    // what an erasure touches late is held, so that it is in the middle of its transaction
    const pool = poolTo(location.url, 1)
    onTestFinished(() => pool.end())
    const holder = await pool.connect()
    const victim = people[KILLED_AT]
    await holder.query('begin')
    await holder.query('select from sessions where user_id = $1 for update', [victim?.userId])

    const job = await boss.send('sweeps', { name: 'closed-accounts' }, { singletonKey: 'closed-accounts' })
    const jobNow = async () => {
      const { rows } = await db.execute<{ state: string; retries: number }>(
        sql`select state::text, retry_count::int as retries from jobs.job where id = ${job}`,
      )
      return rows[0]
    }
    const erasedOf = async () => (await server.rows('users')).filter(({ erased_at }) => erased_at !== null).map(({ id }) => id)
    const waiting = async () => {
      const { rows } = await db.execute(sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
      return rows.length
    }
    const doomed = await installation({ DATABASE_URL: location.url, DATABASE_CONNECTIONS: '4' })
    await doomed.start()
    await expect.poll(async () => [await waiting(), (await erasedOf()).length], { timeout: 60_000 }).toEqual([1, KILLED_AT])
    await doomed.kill()
    await expect.poll(waiting, { timeout: 30_000 }).toBe(0)
    await holder.query('rollback')
    holder.release()

    // the account it was at is whole, those before are gone, those after untouched
    const idsErased = await erasedOf()
    expect(idsErased).toHaveLength(KILLED_AT)
    for (const [place, { userId, instanceId }] of people.entries()) {
      const isErased = idsErased.includes(userId)
      expect([place, isErased]).toEqual([place, place < KILLED_AT])
      const answers = (await server.rows('answer_groups')).filter((row) => row['instance_id'] === instanceId)
      const sessions = (await server.rows('sessions')).filter((row) => row['user_id'] === userId)
      expect([place, answers.length > 0, sessions.length]).toEqual([place, !isErased, isErased ? 0 : 1])
    }
    expect(await jobNow()).toEqual({ state: 'active', retries: 0 })

    // whoever supervises notices that nobody does it, and the next process takes it
    await timePasses(server, 121)
    await boss.supervise('sweeps')
    await timePasses(server, 300)
    await doomed.start()
    await expect.poll(jobNow, { timeout: 60_000 }).toEqual({ state: 'completed', retries: 1 })
    expect(await erasedOf()).toHaveLength(PEOPLE)
    const erasures = (await server.rows('audit_entries')).filter(({ event }) => event === 'account-erased').map(({ about }) => about)
    expect(erasures.toSorted()).toEqual(people.map(({ userId }) => userId).toSorted())
    expect(failures).toEqual([])
  }, 240_000)
})
