import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { findBrokenEntry, forgetOldEntries } from '#server/audit/store.ts'
import { sweepAudit } from '#server/audit/sweep.ts'
import { eraseClosedAccounts } from '#server/users/closed-accounts.ts'
import { ask, closeAccount, signIn, type Person } from '#tests/support/person.ts'
import { engines, type TestServer } from '#tests/support/start-server.ts'
import { callsOf, checkout, complete, openShop, type Shop } from '../payments/support.ts'

const DAY = 86_400

/** Promises G9, C7: security and money leave a trace that cannot be changed unseen. */
describe.each(engines)('the audit log (%s)', (database) => {
  let shop: Shop
  let server: TestServer
  let player: Person
  let count = 0

  beforeAll(async () => {
    shop = await openShop(database)
    server = shop.running
  })
  afterAll(() => shop.close())
  beforeEach(async () => {
    count += 1
    player = await signIn(server, `audit${count}@club.test`)
  })

  const entries = async () => (await server.rows('audit_log')).toSorted((a, b) => Number(a['id']) - Number(b['id']))
  const of = async (userId: string) => (await entries()).filter((one) => one['user_id'] === userId).map((one) => one['event'])
  const sql = (text: string) => server.deps.db.execute(text)
  const refresh = (refreshToken: string) =>
    ask<{ refreshToken: string; code: string }>(server, 'POST', 'user/auth/refresh', { body: { refreshToken } })

  test('a sign-in, a failure', async () => {
    expect(await of(player.userId)).toEqual(['signed-in'])
    shop.clock.forward(61)
    const { email } = player
    const { session } = (await ask<{ session: string }>(server, 'POST', 'user/auth/initiate', { body: { email, userTypeCode: 'player' } }))
      .body
    const otp = String((Number(server.codeFor(email)) + 1) % 10 ** 8).padStart(8, '0')
    await ask(server, 'POST', 'user/auth/verify-otp', { body: { session, email, otp } })
    expect(await of(player.userId)).toEqual(['signed-in', 'sign-in-failed'])
    expect((await entries()).at(-1)?.['about']).toBe(session)
  })

  test('C7: an old refresh token that comes back ends its session, is noted and mailed', async () => {
    const child = (await refresh(player.refreshToken)).body.refreshToken
    const grandchild = (await refresh(child)).body.refreshToken
    shop.clock.forward(61)
    expect((await refresh(player.refreshToken)).body.code).toBe('SESSION_REVOKED')
    expect((await refresh(grandchild)).body.code).toBe('SESSION_REVOKED')
    expect(await of(player.userId)).toEqual(['signed-in', 'refresh-reused'])
    expect(server.mails(player.email)[0]?.subject).toBe('One of your Touchline sessions was ended')
  })

  test('C9: eight tabs at once are one refresh, and no replay', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(player.refreshToken)))
    expect(new Set(answers.map(({ body }) => body.refreshToken)).size).toBe(1)
    expect(await of(player.userId)).toEqual(['signed-in'])
  })

  test('a call that is not for the role, by its name, at most 20 an hour', async () => {
    for (let i = 0; i < 25; i += 1) {
      expect((await ask(server, 'GET', 'user', { bearer: player.accessToken })).status).toBe(403)
    }
    expect((await of(player.userId)).filter((event) => event === 'role-refused')).toHaveLength(20)
    expect((await entries()).at(-1)).toMatchObject({ event: 'role-refused', about: 'users.list', user_id: player.userId })
  })

  test('a purchase, once', async () => {
    const calls = callsOf(server, player.accessToken)
    const { sessionId } = await checkout(calls)
    shop.pay(sessionId)
    await Promise.all([1, 2, 3].map(() => complete(calls, sessionId)))
    expect(await of(player.userId)).toEqual(['signed-in', 'purchased'])
    const orders = await server.rows('orders')
    expect(orders.map((order) => order['id'])).toContain((await entries()).at(-1)?.['about'])
    expect((await calls<{ data: unknown[] }>(api.instances.list)).body.data).toHaveLength(1)
  })

  test('an account closed, opened again, closed and erased', async () => {
    await closeAccount(server, player)
    await ask(server, 'POST', 'user', {
      bearer: server.deps.keys.operatorKey,
      body: { email: player.email, userTypeCode: 'player' },
    })
    shop.clock.forward(61)
    await closeAccount(server, await signIn(server, player.email))
    shop.clock.forward(30 * DAY)
    await eraseClosedAccounts(server.deps)
    expect(await of(player.userId)).toEqual([
      'signed-in',
      'account-closed',
      'account-reopened',
      'signed-in',
      'new-device',
      'account-closed',
      'account-erased',
    ])
  })

  test('saving answers leaves none', async () => {
    const instanceId = await server.giveInstance(player)
    const before = (await entries()).length
    await ask(server, 'POST', 'assessment/assessment-instance/responses', {
      bearer: player.accessToken,
      body: { instanceId, responses: [{ sectionName: 'Section2', id: 's2-q01', answer: 'A' }] },
    })
    expect((await entries()).length).toBe(before)
  })

  test('holds no e-mail, no code, no token', async () => {
    const text = JSON.stringify(await entries())
    for (const secret of [player.email, '@', server.codeFor(player.email), player.accessToken, player.refreshToken]) {
      expect(text).not.toContain(secret)
    }
  })

  test('is one chain, however many write at once', async () => {
    const emails = Array.from({ length: 16 }, (_, i) => `crowd${count}-${i}@club.test`)
    await Promise.all(emails.map((email) => signIn(server, email)))
    const ids = (await entries()).map((one) => Number(one['id']))
    expect(ids).toEqual(ids.map((_, place) => place + 1))
    expect(await findBrokenEntry(server.deps.db)).toBeUndefined()
  })

  describe('shows', () => {
    const third = `(select min(id) + 2 from audit_log)`
    const tampering: [string, string, string, number][] = [
      ['an event that was changed', `update audit_log set event = 'signed-in ' where id = ${third}`, '', 3],
      ['a time that was changed', `update audit_log set at = at + interval '1 second' where id = ${third}`, '', 3],
      ['a person who was changed', `update audit_log set user_id = gen_random_uuid() where id = ${third}`, '', 3],
      ['an entry that was taken away', `delete from audit_log where id = ${third}`, '', 4],
      ['the first ones taken away', `delete from audit_log where id < ${third}`, '', 3],
      [
        'an entry that was put in',
        `update audit_log set id = id + 1000000 where id >= ${third}`,
        `insert into audit_log select 3, at, event, user_id, about, previous, seal from audit_log where id = 2`,
        3,
      ],
      ['two that changed places', `update audit_log set id = -3 where id = 3`, `update audit_log set id = 3 where id = 4`, 3],
    ]

    test.each(tampering)('%s', async (_what, first, second, broken) => {
      await sql('create table kept_log as select * from audit_log')
      await sql(first)
      if (second) await sql(second)
      expect(await findBrokenEntry(server.deps.db)).toBe(broken)
      const said: unknown[] = []
      const log = { error: (...words: unknown[]) => said.push(words) } as unknown as TestServer['deps']['log'] // all it is asked for
      await sweepAudit({ ...server.deps, log })
      expect(said).toEqual([[{ entry: broken }, expect.any(String)]])
      await sql('delete from audit_log')
      await sql('insert into audit_log select * from kept_log')
      await sql('drop table kept_log')
      expect(await findBrokenEntry(server.deps.db)).toBeUndefined()
    })
  })

  test('forgets after 400 days, and stays whole; what is cut off by hand still shows', async () => {
    const last = Number((await entries()).at(-1)?.['id'])
    shop.clock.forward(401 * DAY)
    player = await signIn(server, `later${count}@club.test`)
    await sweepAudit(server.deps)
    expect((await entries()).map((one) => [Number(one['id']), one['event']])).toEqual([
      [last + 1, 'signed-in'],
      [last + 2, 'trimmed'],
    ])
    expect(await findBrokenEntry(server.deps.db)).toBeUndefined()
    await forgetOldEntries(server.deps.db, shop.clock.now())
    expect(await entries()).toHaveLength(2)
    await signIn(server, `last${count}@club.test`)
    await sql(`delete from audit_log where id = ${last + 1}`)
    expect(await findBrokenEntry(server.deps.db)).toBe(last + 2)
  })
})
