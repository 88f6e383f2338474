import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { consumeCode, renewChallenge, undoSending } from '#server/auth/store.ts'
import { engines } from '#tests/support/databases.ts'
import { ask, movableClock, signIn } from '#tests/support/person.ts'
import { givenServer } from '#tests/support/start-server.ts'

/** A code works until what it permits is stored: a database that fails in between uses up nothing, and nothing is done by half. LOGIN-13 */
describe('a code whose use fails works again', () => {
  const clock = movableClock()
  const server = givenServer({ clock })

  /** While `work` runs, nothing can be inserted into this table. */
  async function whileFailing(table: string, work: () => Promise<unknown>): Promise<void> {
    const { db } = server.deps
    await db.execute(`create or replace function complain() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`)
    await db.execute(`create trigger complain before insert on ${table} for each row execute function complain()`)
    await work()
    await db.execute(`drop trigger complain on ${table}`)
  }
  const counts = async () =>
    Promise.all(['users', 'sessions', 'mails', 'audit_entries'].map(async (table) => (await server.rows(table)).length))

  for (const table of ['users', 'sessions', 'audit_entries']) {
    test(`a sign-up that could not write to ${table}`, async () => {
      clock.forward(61)
      const email = `new-${table.replaceAll('_', '-')}@club.test`
      const { body } = await ask<{ session: string }>(server, 'POST', 'user/auth/initiate', { body: { email, userTypeCode: 'player' } })
      const verify = () =>
        ask(server, 'POST', 'user/auth/verify-otp', { body: { session: body.session, email, otp: server.codeFor(email) } })
      const before = await counts()
      await whileFailing(table, async () => expect((await verify()).status).toBe(500))
      expect(await counts()).toEqual(before)
      expect((await verify()).status).toBe(200)
      expect((await verify()).body.code).toBe('INVALID_CODE')
    })
  }

  for (const table of ['mails', 'audit_entries']) {
    test(`closing an account that could not write to ${table}`, async () => {
      const { userId, email, accessToken: bearer } = await signIn(server, `closing-${table.replaceAll('_', '-')}@club.test`)
      const { body } = await ask<{ session: string }>(server, 'POST', `user/${userId}/deactivate/code`, { bearer })
      const close = () =>
        ask(server, 'POST', `user/${userId}/deactivate`, { bearer, body: { session: body.session, otp: server.codeFor(email) } })
      const before = await counts()
      await whileFailing(table, async () => expect((await close()).status).toBe(500))
      expect(await counts()).toEqual(before)
      expect((await ask(server, 'GET', `user/${userId}`, { bearer })).status).toBe(200)
      expect((await close()).status).toBe(200)
    })
  }

  test('of two requests with it at the same moment one signs in', async () => {
    clock.forward(61)
    const email = 'twice@club.test'
    const { body } = await ask<{ session: string }>(server, 'POST', 'user/auth/initiate', { body: { email, userTypeCode: 'player' } })
    const verify = () => ask(server, 'POST', 'user/auth/verify-otp', { body: { session: body.session, email, otp: server.codeFor(email) } })
    const replies = await Promise.all([verify(), verify(), verify()])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401, 401])
    expect((await server.rows('users')).filter((user) => user['email'] === email)).toHaveLength(1)
  })
})

// the embedded database has one connection, so two transactions cannot overlap
describe.runIf(engines.includes('postgres'))('a code that is used while a new one is asked for', () => {
  const clock = movableClock()
  const server = givenServer({ clock, database: 'postgres' })
  const waiting = async () => {
    const own = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return (await server.deps.db.execute(own)).rows.length
  }
  const stored = async (id: string) => (await server.rows('sign_in_challenges')).find((one) => one['id'] === id)

  test('stays used: none is sent in its place', async () => {
    const { db, env } = server.deps
    const email = 'both@club.test'
    const { body } = await ask<{ session: string }>(server, 'POST', 'user/auth/initiate', { body: { email, userTypeCode: 'player' } })
    clock.forward(61)
    const begun = await db.transaction(async (tx) => {
      // a sign-in writes to the audit log last
      await tx.execute(sql`select 1 from audit_heads for update`)
      const verified = ask(server, 'POST', 'user/auth/verify-otp', { body: { session: body.session, email, otp: server.codeFor(email) } })
      await expect.poll(waiting).toBe(1)
      const renewed = renewChallenge(db, body.session, email, 'another', env.limits, clock.now())
      await expect.poll(waiting).toBe(2)
      return { verified, renewed }
    })
    expect((await begun.verified).status).toBe(200)
    expect(await begun.renewed).toEqual({ kind: 'expired' })
    expect(await stored(body.session)).toMatchObject({ used_at: expect.anything() })
  })

  test('stays used when the mail with the new one is refused', async () => {
    const { db, env } = server.deps
    const email = 'refused@club.test'
    const { body } = await ask<{ session: string }>(server, 'POST', 'user/auth/initiate', { body: { email, userTypeCode: 'player' } })
    clock.forward(61)
    const renewed = await renewChallenge(db, body.session, email, 'another', env.limits, clock.now())
    if (renewed.kind !== 'send') throw new Error(renewed.kind)
    await db.transaction(async (tx) => consumeCode(tx, renewed.challenge, clock.now()))
    await undoSending(db, renewed.challenge, renewed.before)
    expect(await stored(body.session)).toMatchObject({ used_at: expect.anything() })
  })
})
