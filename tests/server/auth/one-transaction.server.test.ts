import { describe, expect, test } from 'vitest'
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
