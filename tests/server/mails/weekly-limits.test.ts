import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { RESENDS_MAXIMUM } from '#contract/constants.ts'
import { movableClock, signIn, type Person } from '#tests/support/person.ts'
import { engines, startServer, type TestServer } from '#tests/support/start-server.ts'
import { allocate, coachWith, reclaim, resend, tokensOf } from '../instances/support.ts'

const DAY = 86_400

/** However often an assessment is given, taken back and given again, an address gets so many mails and no more. Decision 0026 */
describe.each(engines)('invitations to one address in a week (%s)', (database) => {
  const clock = movableClock()
  let server: TestServer
  let coach: Person
  let email: string
  let count = 0

  beforeAll(async () => {
    server = await startServer({ database, clock, env: { MAILS_PER_HOUR: '100', MAILS_PER_DAY: '1000' } })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    count += 1
    email = `player${count}@club.test`
    coach = await coachWith(server, `coach${count}@club.test`, 3)
  })

  const mailed = async () => {
    await server.deps.mails.wake()
    return server.mails(email).length
  }
  /** Gives it and takes it back once the invitation left. */
  async function giveAndTakeBack(as = coach): Promise<{ status: number; code: string | undefined; wait: number }> {
    const { status, body, headers } = await allocate(server, as, email)
    await mailed()
    if (status === 201) await reclaim(server, as, body.instanceId)
    return { status, code: body.code, wait: Number(headers.get('retry-after')) }
  }

  test('an invitation and its five reminders, over all that was taken back', async () => {
    for (let i = 0; i < 1 + RESENDS_MAXIMUM; i += 1) {
      expect((await giveAndTakeBack()).status).toBe(201)
      clock.forward(60)
    }
    const refused = await giveAndTakeBack()
    expect(refused).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS', wait: 7 * DAY - 360 })
    expect(await mailed()).toBe(6)
    expect(await tokensOf(server, coach)).toMatchObject({ used: 0, available: 3 })
    clock.forward(refused.wait)
    coach = await signIn(server, coach.email)
    expect((await giveAndTakeBack()).status).toBe(201)
  })

  test('reminders of one taken back count for the next', async () => {
    const { instanceId } = (await allocate(server, coach, email)).body
    for (let i = 0; i < 3; i += 1) {
      await mailed()
      expect((await resend(server, coach, email)).status).toBe(200)
    }
    await mailed()
    await reclaim(server, coach, instanceId)
    expect((await allocate(server, coach, email)).status).toBe(201)
    await mailed()
    expect((await resend(server, coach, email)).status).toBe(200)
    await mailed()
    const refused = await resend(server, coach, email)
    expect([refused.status, refused.body.code]).toEqual([429, 'RESEND_LIMIT'])
    expect(Number(refused.headers.get('retry-after'))).toBe(7 * DAY)
    expect(await mailed()).toBe(6)
  })

  test('twenty from all coaches together', async () => {
    const coaches = await Promise.all(['a', 'b', 'c'].map((name) => coachWith(server, `${name}${count}@club.test`, 1)))
    for (const one of [coach, ...coaches.slice(0, 2)]) for (let i = 0; i < 6; i += 1) expect((await giveAndTakeBack(one)).status).toBe(201)
    const [, , last] = coaches
    if (!last) throw new Error('three coaches')
    for (let i = 0; i < 2; i += 1) expect((await giveAndTakeBack(last)).status).toBe(201)
    expect((await giveAndTakeBack(last)).code).toBe('TOO_MANY_REQUESTS')
    expect(await mailed()).toBe(20)
    // and nobody else has less for it
    email = `neighbour${count}@club.test`
    expect((await giveAndTakeBack(last)).status).toBe(201)
  })

  test('an allocation that is refused, and a repeat of one, count for nothing', async () => {
    const poor = await coachWith(server, `poor${count}@club.test`, 0)
    for (let i = 0; i < 25; i += 1) expect((await giveAndTakeBack(poor)).code).toBe('NO_TOKENS_AVAILABLE')
    const operationId = crypto.randomUUID()
    const first = (await allocate(server, coach, email, { operationId })).body.instanceId
    for (let i = 0; i < 10; i += 1) expect((await allocate(server, coach, email, { operationId })).body.instanceId).toBe(first)
    for (let i = 0; i < RESENDS_MAXIMUM; i += 1) {
      await mailed()
      expect((await resend(server, coach, email)).status).toBe(200)
    }
    expect(await mailed()).toBe(6)
  })

  test('of many at once no more than may be', async () => {
    for (let i = 0; i < 4; i += 1) await giveAndTakeBack()
    const { instanceId } = (await allocate(server, coach, email)).body
    await mailed()
    await Promise.all(Array.from({ length: 8 }, () => resend(server, coach, email)))
    await mailed()
    await reclaim(server, coach, instanceId)
    await Promise.all(Array.from({ length: 8 }, () => allocate(server, coach, email)))
    expect(await mailed()).toBeLessThanOrEqual(6)
  })
})
