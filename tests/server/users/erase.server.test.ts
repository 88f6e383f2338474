import { beforeEach, describe, expect, test } from 'vitest'
import type { InstanceSummary } from '#contract/instances.ts'
import { sweepPictures } from '#server/pictures/sweep.ts'
import { ask, closeAccount, coachData, movableClock, signIn, type Person } from '#tests/support/person.ts'
import { givenServer } from '#tests/support/start-server.ts'
import { picture, upload } from '../pictures/support.ts'
import { closedAccounts, DAY_SECONDS } from './closed-accounts.ts'

/** Erasing an account: 30 days after it was closed, or at the operator's call. PRIVACY-5 */
describe('erasing an account', () => {
  const clock = movableClock()
  const server = givenServer({ clock })
  let player: Person
  let count = 0

  beforeEach(async () => {
    count += 1
    player = await signIn(server, `erased${count}@club.test`)
  })

  const { profile, reopen, rowOf, afterDays } = closedAccounts(server, clock)
  const row = () => rowOf(player.userId)
  const close = (person = player) => closeAccount(server, person)
  const about = async (table: string, instanceId: string) =>
    (await server.rows(table)).filter((one) => one['instance_id'] === instanceId || one['id'] === instanceId)

  test('one account that cannot be erased keeps no others from being erased', async () => {
    const stuck = player
    const others = [await signIn(server, `stuck${count}a@club.test`), await signIn(server, `stuck${count}b@club.test`)]
    for (const person of [stuck, ...others]) await closeAccount(server, person)
    const { db } = server.deps
    await db.execute(`create function complain() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`)
    await db.execute(`create trigger complain before update on users for each row
      when (new.erased_at is not null and new.id = '${stuck.userId}') execute function complain()`)
    await expect(afterDays(31)).rejects.toThrow()
    const erased = async () => (await server.rows('users')).filter((one) => one['erased_at'] !== null).map((one) => one['id'])
    expect(await erased()).toEqual(expect.arrayContaining(others.map(({ userId }) => userId)))
    expect(await erased()).not.toContain(stuck.userId)
    await db.execute('drop trigger complain on users')
    await afterDays(0)
    expect(await erased()).toContain(stuck.userId)
  })

  describe('after 30 days', () => {
    let done: string
    let half: string
    let coach: Person
    beforeEach(async () => {
      coach = await signIn(server, `coach${count}@club.test`, 'coach', coachData)
      const change = { firstName: 'Noa', lastName: 'Tremblay', gender: 'female', birthDate: '2008-02-01' }
      await ask(server, 'PATCH', `user/${player.userId}`, { bearer: player.accessToken, body: change })
      done = await server.giveInstance(player, 1)
      half = await server.giveInstance(player, 0.5)
      await server.deps.db.execute(`update instances set coach_id = '${coach.userId}', user_team = 'U19 of Noa' where id = '${done}'`)
      const order = `insert into orders (id, user_id, kind, price_id, quantity, unit_amount, amount_total, currency, status, idempotency_key, created_at)
        values ('${crypto.randomUUID()}', '${player.userId}', 'assessment', 'price_a', 1, 100, 100, 'USD', 'expired', '${crypto.randomUUID()}', now())`
      await server.deps.db.execute(order)
      await upload(server, player, await picture(30, 30).jpeg().toBuffer())
      await ask(server, 'PATCH', `user/${player.userId}`, { bearer: player.accessToken, body: { hasProfilePicture: true } })
      await close()
    })

    test('only the payment records remain of the person', async () => {
      clock.forward(61)
      await ask(server, 'POST', 'user/auth/initiate', { body: { email: player.email, userTypeCode: 'player' } })
      const orders = (await server.rows('orders')).filter((one) => one['user_id'] === player.userId)
      await afterDays(30)
      for (const instanceId of [done, half]) {
        for (const table of ['answer_groups', 'answer_log']) expect(await about(table, instanceId)).toEqual([])
      }
      const tables = await server.deps.db.execute<{ name: string }>(
        `select table_name as name from information_schema.tables where table_schema = 'public'`,
      )
      for (const { name } of tables.rows) {
        const text = JSON.stringify(await server.rows(name))
        for (const trace of [player.email, 'Tremblay', 'U19 of Noa']) expect([name, text.includes(trace)]).toEqual([name, false])
      }
      expect(await row()).toMatchObject({ first_name: null, gender: null, birth_date: null, has_profile_picture: false, teams: [] })
      expect((await server.rows('orders')).filter((one) => one['user_id'] === player.userId)).toEqual(orders)
      expect(orders).toHaveLength(1)
      await sweepPictures(server.deps)
      for (const table of ['pictures', 'picture_uploads']) {
        expect((await server.rows(table)).filter((one) => one['user_id'] === player.userId)).toEqual([])
      }
    })

    test('the results remain, but anonymous: the coach reads “Deleted player”, in their language', async () => {
      await afterDays(30)
      coach = await signIn(server, coach.email)
      const seen = async (language: string) => {
        const asking = { bearer: coach.accessToken, language }
        return (await ask<{ data: InstanceSummary[] }>(server, 'GET', 'assessment/assessment-instance', asking)).body.data
      }
      expect(await seen('en')).toMatchObject([{ userName: 'Deleted player', userLastname: null, userEmail: '', userTeam: null }])
      expect(await seen('fr')).toMatchObject([{ userName: 'Compte supprimé' }])
      expect((await seen('en'))[0]?.results?.section2.label).toMatch(/^[EI][SN][TF][JP]$/)
      expect((await ask(server, 'GET', `user/${player.userId}`, { bearer: coach.accessToken })).status).toBe(404)
    })

    test('ids that a coach noted earlier are no longer in any table', async () => {
      const instances = async () => (await server.rows('instances')).filter((one) => one['email_normal'] !== '')
      const given = (await instances()).find((one) => one['id'] === done)
      await server.deps.db.execute(`insert into token_balances (coach_id, total, used) values ('${coach.userId}', 1, 1)`)
      await server.deps.db.execute(
        `insert into token_ledger (coach_id, kind, amount, instance_id, at) values ('${coach.userId}', 'spent', 1, '${done}', now())`,
      )
      await server.deps.db.execute(
        `update instances set order_id = (select id from orders where user_id = '${player.userId}') where id = '${done}'`,
      )
      await afterDays(30)
      const remaining = (await instances()).filter((one) => one['coach_id'] === coach.userId)
      expect(remaining).toHaveLength(1)
      expect(remaining[0]).toMatchObject({ user_id: null, order_id: null, results: given?.['results'], status: 'COMPLETED' })
      for (const table of ['instances', 'token_ledger', 'allocations', 'mails', 'answer_groups', 'answer_log']) {
        const text = JSON.stringify(await server.rows(table))
        for (const trace of [done, half, player.userId]) expect([table, text.includes(trace)]).toEqual([table, false])
      }
      // the token remains spent on the anonymous instance
      const ledger = (await server.rows('token_ledger')).filter((one) => one['coach_id'] === coach.userId)
      expect(ledger).toMatchObject([{ kind: 'spent', instance_id: remaining[0]?.['id'] }])
    })

    test('the account is erased on the last day, not earlier, and only once', async () => {
      const before = await row()
      await afterDays(29)
      expect(await row()).toEqual(before)
      // before the sweep, too
      clock.forward(DAY_SECONDS)
      expect((await reopen(player.email)).body.code).toBe('USER_EXISTS')
      await afterDays(0)
      const erased = await row()
      expect(erased?.['erased_at']).not.toBeNull()
      await afterDays(1)
      expect(await row()).toEqual(erased)
    })

    test('the e-mail can be used again, for a new, empty account', async () => {
      await afterDays(30)
      const again = await signIn(server, player.email)
      expect(again.userId).not.toBe(player.userId)
      const list = await ask<{ data: unknown[] }>(server, 'GET', 'assessment/assessment-instance', { bearer: again.accessToken })
      expect(list.body.data).toEqual([])
      const found = await ask<{ total: number }>(server, 'GET', `user?email=${player.email}`, { bearer: server.deps.keys.operatorKey })
      expect(found.body.total).toBe(1)
    })
  })

  describe('at the operator’s call', () => {
    const erase = ({ userId, email } = player) =>
      ask<{ code: string }>(server, 'POST', `user/${userId}/erase`, { bearer: server.deps.keys.operatorKey, body: { email } })

    test.each([
      ['an open account', async () => {}],
      ['a closed one', () => close()],
      [
        'one that was closed by a clock that was ahead',
        async () => {
          clock.forward(3 * DAY_SECONDS)
          await close(await signIn(server, player.email))
          clock.forward(-3 * DAY_SECONDS)
        },
      ],
    ])('%s is erased at once, and once', async (_, begin) => {
      await begin()
      expect((await erase()).status).toBe(204)
      expect(await row()).toMatchObject({ email: '', erased_at: expect.any(String) })
      expect((await row())?.['deactivated_at']).not.toBeNull()
      expect((await profile(player)).status).toBe(401)
      expect((await erase()).status).toBe(404)
      clock.forward(61)
      expect((await signIn(server, player.email)).userId).not.toBe(player.userId)
    })

    test('what is said to be erased is, although it is opened again meanwhile', async () => {
      await close()
      const erasing = erase()
      await Promise.all(Array.from({ length: 20 }, () => reopen(player.email)))
      expect((await erasing).status).toBe(204)
      expect(await row()).toMatchObject({ email: '', erased_at: expect.any(String) })
    })
  })
})
