import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { eraseClosedAccounts } from '#server/users/closed-accounts.ts'
import { ask, closeAccount, signIn, type Person } from '#tests/support/person.ts'
import type { TestServer } from '#tests/support/start-server.ts'
import { allocate, coachWith, complete as completeInstance, save } from '../instances/support.ts'
import { callsOf, checkout, complete, openShop, type Shop } from '../payments/support.ts'

const DAY_SECONDS = 86_400

const offer = {
  name: 'Another',
  tagline: 'Another',
  description: 'Another',
  estimatedTimeMinutes: 20,
  prices: [{ id: 'price_another', unitAmount: 100, currency: 'USD' }],
  sampleReportFilename: 'another.pdf',
}

/** PRIVACY-9, SESSION-14: security and payment events are logged. That changes are detected: seals.server.test.ts. */
describe('the audit log', () => {
  let shop: Shop
  let server: TestServer
  let player: Person
  let count = 0

  beforeAll(async () => {
    shop = await openShop()
    server = shop.running
  })
  afterAll(() => shop.close())
  beforeEach(async () => {
    count += 1
    player = await signIn(server, `audit${count}@club.test`)
  })

  const entries = async () => (await server.rows('audit_entries')).toSorted((a, b) => Number(a['id']) - Number(b['id']))
  const of = async (userId: string) => (await entries()).filter((one) => one['user_id'] === userId).map((one) => one['event'])
  const refresh = (refreshToken: string) =>
    ask<{ refreshToken: string; code: string }>(server, 'POST', 'user/auth/refresh', { body: { refreshToken } })

  test('has a sign-in, and a failed one', async () => {
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

  test('has no entry for a failed sign-in without an account, and stays intact', async () => {
    const email = `nobody${count}@club.test`
    const { session } = (await ask<{ session: string }>(server, 'POST', 'user/auth/initiate', { body: { email, userTypeCode: 'player' } }))
      .body
    const before = await entries()
    const otp = String((Number(server.codeFor(email)) + 1) % 10 ** 8).padStart(8, '0')
    const codes = []
    for (let i = 0; i < 5; i += 1) {
      codes.push((await ask(server, 'POST', 'user/auth/verify-otp', { body: { session, email, otp } })).body.code)
    }
    expect(codes).toEqual([...Array.from({ length: 4 }, () => 'INVALID_CODE'), 'CODE_EXHAUSTED'])
    expect(await entries()).toEqual(before)
    await signIn(server, `after${count}@club.test`)
    expect((await entries()).length).toBe(before.length + 1)
  })

  test('SESSION-14: a replayed refresh token ends its session, and is logged and mailed', async () => {
    const child = (await refresh(player.refreshToken)).body.refreshToken
    const grandchild = (await refresh(child)).body.refreshToken
    shop.clock.forward(61)
    expect((await refresh(player.refreshToken)).body.code).toBe('SESSION_REVOKED')
    expect((await refresh(grandchild)).body.code).toBe('SESSION_REVOKED')
    expect(await of(player.userId)).toEqual(['signed-in', 'refresh-reused'])
    await server.deps.jobs.settled('mails')
    expect(server.mails(player.email)[0]?.subject).toBe('One of your Touchline sessions was ended')
  })

  test('SESSION-12: eight tabs that refresh at once are one refresh, not a replay', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => refresh(player.refreshToken)))
    expect(new Set(replies.map(({ body }) => body.refreshToken)).size).toBe(1)
    expect(await of(player.userId)).toEqual(['signed-in'])
  })

  test('has calls refused because of the role, by name, at most 20 an hour', async () => {
    for (let i = 0; i < 25; i += 1) {
      expect((await ask(server, 'GET', 'user', { bearer: player.accessToken })).status).toBe(403)
    }
    expect((await of(player.userId)).filter((event) => event === 'role-refused')).toHaveLength(20)
    expect((await entries()).at(-1)).toMatchObject({ event: 'role-refused', about: 'users.list', user_id: player.userId })
  })

  test('has a purchase once, even if it is completed three times at once', async () => {
    const calls = callsOf(server, player.accessToken)
    const { sessionId } = await checkout(calls)
    shop.pay(sessionId)
    await Promise.all([1, 2, 3].map(() => complete(calls, sessionId)))
    expect(await of(player.userId)).toEqual(['signed-in', 'purchased'])
    const orders = await server.rows('orders')
    expect(orders.map((order) => order['id'])).toContain((await entries()).at(-1)?.['about'])
    expect((await calls<{ data: unknown[] }>(api.instances.list)).body.data).toHaveLength(1)
  })

  test('has each closing, reopening and erasing of an account', async () => {
    await closeAccount(server, player)
    await ask(server, 'POST', 'user', {
      bearer: server.deps.keys.operatorKey,
      body: { email: player.email, userTypeCode: 'player' },
    })
    shop.clock.forward(61)
    await closeAccount(server, await signIn(server, player.email))
    shop.clock.forward(30 * DAY_SECONDS)
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

  test('has no entry for saved answers', async () => {
    const instanceId = await server.giveInstance(player)
    const before = (await entries()).length
    await ask(server, 'POST', 'assessment/assessment-instance/responses', {
      bearer: player.accessToken,
      body: { instanceId, responses: [{ sectionName: 'Section2', id: 's2-q01', answer: 'A' }] },
    })
    expect((await entries()).length).toBe(before)
  })

  test('contains no e-mail, code or token', async () => {
    const text = JSON.stringify(await entries())
    for (const secret of [player.email, '@', server.codeFor(player.email), player.accessToken, player.refreshToken]) {
      expect(text).not.toContain(secret)
    }
  })

  test('has the operator’s calls by name and parameters, without addresses; listing the assessments is not logged', async () => {
    const bearer = server.deps.keys.operatorKey
    const email = `made${count}@club.test`
    await ask(server, 'GET', `user?email=${email}`, { bearer })
    const made = await ask<{ userId: string }>(server, 'POST', 'user', { bearer, body: { email, userTypeCode: 'player' } })
    const given = { userId: made.body.userId, assessmentId: 'touchline-profile' }
    await ask(server, 'POST', 'assessment/assessment-instance', { bearer, body: given })
    await ask(server, 'POST', 'assessment', { bearer, body: { ...offer, assessmentId: `offer-${count}` } })
    await ask(server, 'GET', 'assessment', { bearer })
    await ask(server, 'GET', `assessment/assessment-instance?userId=${player.userId}`, { bearer })
    const calls = (await entries()).filter(({ event }) => event === 'operator-call')
    expect(calls.slice(-5).map(({ about }) => about)).toEqual([
      'users.list',
      'users.create',
      `instances.create ${made.body.userId} touchline-profile`,
      `assessments.create offer-${count}`,
      `instances.list ${player.userId}`,
    ])
    expect(await of(made.body.userId)).toEqual(['account-made'])
  })

  describe('a result that is sent to a coach', () => {
    let coach: Person
    let id: string
    let operationId: string
    /** calls whose reply tells a coach the type */
    const calls: Record<string, () => [method: string, path: string, body?: object]> = {
      'coach/allocated': () => ['GET', 'assessment/coach/allocated'],
      'instances.coachReport': () => ['GET', `assessment/coach/allocated/${id}/report`],
      'instances.list': () => ['GET', 'assessment/assessment-instance'],
      'instances.get': () => ['GET', `assessment/assessment-instance/${id}`],
      'instances.update': () => ['PATCH', `assessment/assessment-instance/${id}`, { userTeam: 'U12' }],
      'users.get': () => ['GET', `user/${player.userId}`],
      'users.withAssessments': () => ['GET', `user/${player.userId}/profile-with-assessments`],
      'instances.allocate, repeated': () => [
        'POST',
        'assessment/assessment-instance/allocate',
        { playerEmail: player.email, assessmentId: 'touchline-profile', operationId },
      ],
    }
    const send = (name: string) => {
      const [method, path, body] = calls[name]?.() ?? ['', '']
      return ask<object>(server, method, path, { bearer: coach.accessToken, ...(body ? { body } : {}) })
    }
    const seen = async () => (await entries()).filter(({ event, about }) => event === 'result-seen' && about === id)

    beforeEach(async () => {
      operationId = randomUUID()
      coach = await coachWith(server, `coach${count}@club.test`, 1)
      id = (await allocate(server, coach, player.email, { operationId })).body.instanceId
      await send('coach/allocated')
      expect(await seen()).toEqual([])
      await save(server, player, id)
      expect((await completeInstance(server, player, id)).status).toBe(200)
    })

    test.each(Object.keys(calls))('is logged once, before the reply to %s', async (name) => {
      const { status, text } = await send(name)
      expect(status).toBeLessThan(300)
      expect(text).toMatch(/"section2":\{"(?:value|axes)":/)
      expect(await seen()).toMatchObject([{ user_id: coach.userId }])
      for (const again of Object.keys(calls)) await send(again)
      expect(await seen()).toHaveLength(1)
    })

    test('is logged once, even after several calls at once', async () => {
      await Promise.all(Object.keys(calls).flatMap((name) => [send(name), send(name)]))
      expect(await seen()).toHaveLength(1)
    })

    test('is not logged if the player reads it', async () => {
      for (const path of [`assessment-instance/${id}`, `coach/allocated/${id}/report`])
        expect((await ask(server, 'GET', `assessment/${path}`, { bearer: player.accessToken })).status).toBe(200)
      expect(await seen()).toEqual([])
    })
  })
})
