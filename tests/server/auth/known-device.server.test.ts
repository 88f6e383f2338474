import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Credentials } from '#contract/auth.ts'
import { ask, movableClock } from '#tests/support/person.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

const DAY_SECONDS = 86_400

/** LOGIN-18: guessing codes for an e-mail cannot lock its owner out of a device that signed in before. */
describe('a known device', () => {
  const clock = movableClock()
  let server: TestServer
  let count = 0
  let email = ''
  let secret = ''

  beforeAll(async () => {
    const env = { STARTS_PER_HOUR_PER_ADDRESS: '100000', VERIFIES_PER_HOUR_PER_ADDRESS: '100000' }
    server = await startServer({ clock, env })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    count += 1
    email = `known${count}@club.test`
    secret = (await enter()).body.deviceSecret
    clock.forward(DAY_SECONDS)
  })

  type Verified = Credentials & { deviceSecret: string; code: string }
  const start = (devices?: unknown, address = email) =>
    ask<{ session: string; code: string }>(server, 'POST', 'user/auth/initiate', {
      body: { email: address, userTypeCode: 'player', ...(devices === undefined ? {} : { devices }) },
    })
  const verify = (session: string, otp: string, address = email) =>
    ask<Verified>(server, 'POST', 'user/auth/verify-otp', { body: { session, email: address, otp } })
  const enter = async (devices?: string[], address = email) =>
    verify((await start(devices, address)).body.session, server.codeFor(address), address)
  const wrong = (otp: string) => String((Number(otp) + 1) % 10 ** 8).padStart(8, '0')

  /** One start and five wrong guesses, from a device that is not known. */
  async function attack(): Promise<string> {
    const { body } = await start()
    if (body.session === undefined) return body.code
    const guess = wrong(server.codeFor(email))
    for (let i = 0; i < 5; i += 1) await verify(body.session, guess)
    return 'guessed'
  }

  test('signs in while others use up every mail and every guess', async () => {
    for (let hour = 0; hour < 6; hour += 1) {
      const outcomes = []
      for (let i = 0; i < 7; i += 1) {
        outcomes.push(await attack())
        clock.forward(61)
      }
      expect(outcomes).toContain('TOO_MANY_REQUESTS')
      expect((await start()).status).toBe(429)
      expect((await enter([secret])).status).toBe(200)
      clock.forward(3600)
    }
  })

  test('has a sign-in of its own, which no other start joins, renews or displaces', async () => {
    const theirs = await start()
    const mine = await start([secret])
    expect(mine.body.session).not.toBe(theirs.body.session)
    const otp = server.codeFor(email)
    for (let i = 0; i < 3; i += 1) {
      clock.forward(61)
      expect((await start()).body.session).not.toBe(mine.body.session)
    }
    expect((await verify(mine.body.session, otp)).status).toBe(200)
  })

  test('has the same limits as other devices, counted separately', async () => {
    const statuses = []
    for (let i = 0; i < 6; i += 1) {
      statuses.push((await start([secret])).status)
      clock.forward(61)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    expect((await start()).status).toBe(200)
    clock.forward(2 * DAY_SECONDS)
    for (let i = 0; i < 4; i += 1) {
      const { session } = (await start([secret])).body
      const guess = wrong(server.codeFor(email))
      for (let j = 0; j < 5; j += 1) await verify(session, guess)
      clock.forward(15 * 60)
    }
    const { session } = (await start([secret])).body
    const otp = server.codeFor(email)
    expect((await verify(session, wrong(otp))).body.code).toBe('INVALID_CODE')
    expect((await verify(session, otp)).body.code).toBe('TOO_MANY_REQUESTS')
    expect((await enter()).status).toBe(200)
  })

  test('stays the same device when it signs in again, even for another person', async () => {
    expect((await enter([secret])).body.deviceSecret).toBe(secret)
    const other = `other${count}@club.test`
    const second = (await enter([secret], other)).body.deviceSecret
    expect(second).not.toBe(secret)
    clock.forward(61)
    expect((await enter([second, secret])).body.deviceSecret).toBe(secret)
    clock.forward(61)
    expect((await enter([second, secret], other)).body.deviceSecret).toBe(second)
  })

  test('is not known by a secret of another e-mail, or a made-up one', async () => {
    const foreign = (await enter(undefined, `foreign${count}@club.test`)).body.deviceSecret
    const [device = '', signature = ''] = secret.split('.')
    const forged = [foreign, `${device}.${'A'.repeat(43)}`, `${'A'.repeat(22)}.${signature}`, signature, '', 'x.y']
    for (let i = 0; i < 5; i += 1) {
      expect((await start()).status).toBe(200)
      clock.forward(61)
    }
    expect((await start(forged)).body.code).toBe('TOO_MANY_REQUESTS')
    expect((await start([...forged, secret])).status).toBe(200)
  })

  test.each([
    ['a text', 'x'],
    ['a list of numbers', [1]],
    ['a list of 21', Array.from({ length: 21 }, () => 'x')],
    ['a list with an entry that is too long', ['x'.repeat(201)]],
  ])('%s as devices is refused', async (_what, devices) => {
    const { status, body } = await start(devices)
    expect([status, body.code]).toEqual([400, 'INVALID_INPUT'])
  })

  test('LOGIN-19: the secret is sent only to somebody who has proved the e-mail, and not stored', async () => {
    expect(Object.keys((await start([secret])).body)).toEqual(['session', 'challengeName'])
    const { session } = (await start()).body
    expect(Object.keys((await verify(session, wrong(server.codeFor(email)))).body)).toEqual(['code', 'message', 'requestId'])
    for (const table of ['users', 'sessions', 'sign_in_challenges', 'sign_in_counts']) {
      expect(JSON.stringify(await server.rows(table))).not.toContain(secret.split('.')[1])
    }
  })
})
