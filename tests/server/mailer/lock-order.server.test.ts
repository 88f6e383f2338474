import { sql, type SQL } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { repeatJobs } from '#server/jobs/store.ts'
import { deleteOldMails } from '#server/mailer/store.ts'
import { eraseAccount } from '#server/users/store.ts'
import { markClosed } from '#tests/support/closed-account.ts'
import { engines } from '#tests/support/databases.ts'
import { ask, movableClock, signIn } from '#tests/support/person.ts'
import { allocate, coachWith, reclaim } from '#tests/server/instances/support.ts'
import { serverWithMail } from './support.ts'

const DAYS_31 = 31 * 86_400

const WAITING = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/** What writes several mails waits for an erasure, or the erasure for it, never each for the other. PRIVACY-5, OPERATE-10 */
// the embedded database has one connection, so two transactions cannot overlap
describe.runIf(engines.includes('postgres'))('mails concurrent with the erasure of their person', () => {
  async function setUp() {
    const clock = movableClock()
    const { server, smtp } = await serverWithMail({ clock, database: 'postgres', env: { MAILS_PER_HOUR: '100' } })
    const { db, jobs } = server.deps
    const now = () => clock.now()
    const waiting = async () => (await db.execute(WAITING)).rows.length
    /** Both begin, one after the other, while somebody has this row; resolves to what the second gives. */
    const raceFor = async <T>(row: SQL, first: () => Promise<unknown>, second: () => Promise<T>): Promise<T> => {
      const begun = await db.transaction(async (tx) => {
        await tx.execute(sql`${row} for update`)
        const one = first()
        await expect.poll(waiting).toBe(1)
        const other = second()
        await expect.poll(waiting).toBe(2)
        // in an object, because the transaction would wait for a promise
        return { one, other }
      })
      const [, given] = await Promise.all([begun.one, begun.other])
      return given
    }
    const coach = await coachWith(server, 'coach@club.test', 5)
    const erase = ({ userId }: { userId: string }) => eraseAccount(db, userId, now(), now())
    return { server, smtp, clock, db, jobs, coach, now, raceFor, erase }
  }

  test('a failed mail is not repeated: the repeat waits for the erasure', async () => {
    const { server, smtp, db, jobs, coach, now, raceFor, erase } = await setUp()
    const player = await signIn(server, 'player@club.test')
    smtp.replyWith(550)
    await allocate(server, coach, player.email)
    await jobs.settled('mails')
    await markClosed(db, player.userId, now())
    const mail = sql`select 1 from mails where to_normal = ${player.email}`
    expect(
      await raceFor(
        mail,
        () => erase(player),
        () => repeatJobs(db, 'mails', undefined),
      ),
    ).toBe(0)
    expect((await server.rows('mails')).filter(({ failed_at }) => failed_at === null)).toEqual([])
  })

  test('old mails are deleted without a deadlock', async () => {
    const { server, clock, db, jobs, coach, now, raceFor, erase } = await setUp()
    const { body } = await allocate(server, coach, 'player@club.test')
    await jobs.settled('mails')
    // the erasure of the coach writes the one to them first, which is the last
    await db.execute(
      sql`insert into mails (kind, "to", to_normal, instance_id, language, facts, created_at, sent_at)
        values ('token-returned', 'coach@club.test', 'coach@club.test', ${body.instanceId}, 'en', '{}', ${now().toISOString()}, ${now().toISOString()})`,
    )
    await reclaim(server, coach, body.instanceId)
    await jobs.settled('mails')
    await markClosed(db, coach.userId, now())
    clock.forward(DAYS_31)
    await raceFor(
      sql`select 1 from mails where to_normal = 'coach@club.test'`,
      () => erase(coach),
      () => deleteOldMails(db, now()),
    )
    expect(await server.rows('mails')).toEqual([])
  })

  test('only those old mails are deleted that were locked in their order', async () => {
    const { server, smtp, clock, db, jobs, coach, now } = await setUp()
    const pending = (await allocate(server, coach, 'pending@club.test')).body
    await jobs.settled('mails')
    smtp.replyWith(550)
    await allocate(server, coach, 'refused@club.test')
    await jobs.settled('mails')
    clock.forward(DAYS_31)
    const left = async () => (await server.rows('mails')).map(({ to }) => to)
    const deleted = await db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from mails where "to" = 'refused@club.test' for update`)
      const deleting = deleteOldMails(db, now())
      await expect.poll(async () => (await db.execute(WAITING)).rows).toHaveLength(1)
      // no reclaim can tell of the other any more
      await db.execute(sql`update instances set email_normal = '' where id = ${pending.instanceId}`)
      // in an object, because the transaction would wait for a promise
      return { deleting }
    })
    await deleted.deleting
    expect(await left()).toEqual(['pending@club.test'])
    await deleteOldMails(db, now())
    expect(await left()).toEqual([])
  })

  test.each(['a reclaim', 'an account that returns its tokens'])('%s and the erasure of the coach', async (which) => {
    const { server, coach, raceFor } = await setUp()
    const email = 'p@club.test'
    const { instanceId } = (await allocate(server, coach, email)).body
    await server.deps.jobs.settled('mails')
    const bearer = server.deps.keys.operatorKey
    const first = async () => {
      if (which === 'a reclaim') expect((await reclaim(server, coach, instanceId)).status).toBe(200)
      else expect((await ask(server, 'POST', 'user', { bearer, body: { email, userTypeCode: 'coach' } })).status).toBe(201)
    }
    const erased = async () =>
      expect((await ask(server, 'POST', `user/${coach.userId}/erase`, { bearer, body: { email: coach.email } })).status).toBe(204)
    await raceFor(sql`select 1 from token_balances where coach_id = ${coach.userId}`, first, erased)
  })
})
