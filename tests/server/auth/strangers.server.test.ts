import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Credentials } from '#contract/auth.ts'
import type { Profile } from '#contract/users.ts'
import { ask, claimsOf, movableClock } from '#tests/support/person.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

const OWNER = { at: '203.0.113.7', deviceId: '11111111-1111-4111-8111-111111111111' }
const STRANGER = { at: '198.51.100.66', deviceId: '66666666-6666-4666-8666-666666666666' }
const WITHOUT_ID = { at: STRANGER.at, deviceId: undefined }

interface Place {
  at: string
  deviceId?: string | undefined
  agent?: string
}

/** SECURITY-5: knowing an e-mail address is not enough to lock its owner out, even on a device that never signed in. */
describe('a stranger who knows the e-mail address', () => {
  const clock = movableClock()
  let server: TestServer
  let count = 0
  let email = ''

  beforeAll(async () => {
    const env = { TRUST_PROXY: '127.0.0.1', STARTS_PER_HOUR_PER_ADDRESS: '100000', VERIFIES_PER_HOUR_PER_ADDRESS: '100000' }
    server = await startServer({ clock, env })
  })
  afterAll(() => server.close())
  beforeEach(() => {
    count += 1
    email = `owner${count}@club.test`
  })

  const headersOf = ({ at, agent }: Place) => ({ 'x-forwarded-for': at, ...(agent === undefined ? {} : { 'user-agent': agent }) })
  const start = (place: Place, more: object = {}) =>
    ask<{ session: string; code: string }>(server, 'POST', 'user/auth/initiate', {
      headers: headersOf(place),
      body: { email, userTypeCode: 'player', ...(place.deviceId === undefined ? {} : { deviceId: place.deviceId }), ...more },
    })
  const verify = (place: Place, session: string, otp: string) =>
    ask<Credentials & { deviceSecret: string; code: string; message: string }>(server, 'POST', 'user/auth/verify-otp', {
      headers: headersOf(place),
      body: { session, email, otp },
    })
  const wrong = (otp: string) => String((Number(otp) + 1) % 10 ** 8).padStart(8, '0')
  const guessAll = async (place: Place, session: string) => {
    const codes = []
    for (let i = 0; i < 5; i += 1) codes.push((await verify(place, session, wrong(server.codeFor(email)))).body.code)
    return codes
  }
  const enter = async (place: Place) => verify(place, (await start(place)).body.session, server.codeFor(email))
  const other = (i: number): Place => ({ at: `198.51.100.${i}`, deviceId: crypto.randomUUID() })

  test('30 calls from one network address lock nobody out at another', async () => {
    for (let i = 0; i < 5; i += 1) await guessAll(STRANGER, (await start(STRANGER)).body.session)
    clock.forward(61)
    expect((await start(STRANGER)).body.code).toBe('TOO_MANY_REQUESTS')
    expect((await enter(OWNER)).status).toBe(200)
  })

  test('ten strangers at ten addresses with ten wrong guesses each lock nobody out', async () => {
    for (let i = 1; i <= 10; i += 1) {
      for (let j = 0; j < 2; j += 1) await guessAll(other(i), (await start(other(i))).body.session)
    }
    expect((await enter(OWNER)).status).toBe(200)
  })

  test.each([
    ['with an id of its own', STRANGER],
    ['without an id', WITHOUT_ID],
    ['without an id, behind the same network address', { at: OWNER.at, deviceId: undefined }],
    ['with another id, behind the same network address', { at: OWNER.at, deviceId: STRANGER.deviceId }],
  ])('a start %s gets a sign-in of its own, and cannot use up the tries of the owner’s', async (_how, stranger) => {
    const mine = (await start(OWNER)).body.session
    const otp = server.codeFor(email)
    const theirs = (await start(stranger)).body.session
    expect(theirs).not.toBe(mine)
    await guessAll(stranger, theirs)
    expect((await verify(OWNER, mine, otp)).status).toBe(200)
  })

  test('the owner’s start does not join the stranger’s sign-in', async () => {
    const theirs = (await start(STRANGER)).body.session
    expect((await start(OWNER)).body.session).not.toBe(theirs)
    expect((await start({ at: OWNER.at })).body.session).not.toBe(theirs)
  })

  test('the stranger’s onboarding data never becomes the owner’s', async () => {
    const theirs = { userTypeCode: 'coach', firstName: 'Call 555 0100', lastName: 'Stranger', city: 'Paris', country: 'France' }
    const mine = { userTypeCode: 'coach', firstName: 'Alex', lastName: 'Bergeron', city: 'Montréal', country: 'Canada' }
    await start(STRANGER, theirs)
    const { session } = (await start(OWNER, mine)).body
    const { body } = await verify(OWNER, session, server.codeFor(email))
    const id = String(claimsOf(body.accessToken)['sub'])
    expect((await ask<Profile>(server, 'GET', `user/${id}`, { bearer: body.accessToken })).body).toMatchObject({
      firstName: 'Alex',
      lastName: 'Bergeron',
      cityId: 'Montréal',
    })
  })

  test('endless starts do not displace the owner’s sign-in', async () => {
    const mine = (await start(OWNER)).body.session
    const otp = server.codeFor(email)
    for (let i = 0; i < 5; i += 1) {
      clock.forward(61)
      await start(STRANGER)
    }
    expect((await verify(OWNER, mine, otp)).status).toBe(200)
  })

  describe('a neighbour behind the same network address', () => {
    const neighbour = (): Place => ({ at: OWNER.at, deviceId: crypto.randomUUID() })

    test.each([
      ['with one id', STRANGER.deviceId],
      ['with another id each time', undefined],
    ])('cannot make the owner’s code invalid, %s', async (_how, deviceId) => {
      const mine = (await start(OWNER)).body.session
      const otp = server.codeFor(email)
      for (let i = 0; i < 4; i += 1) {
        expect((await start({ ...neighbour(), ...(deviceId === undefined ? {} : { deviceId }) })).status).toBe(200)
        clock.forward(61)
      }
      expect((await verify(OWNER, mine, otp)).status).toBe(200)
    })

    test('without an id cannot make the owner’s code invalid either, even with the same user agent', async () => {
      const mine = (await start({ at: OWNER.at, agent: 'club-tool/1' })).body.session
      const otp = server.codeFor(email)
      for (let i = 0; i < 4; i += 1) await start({ at: OWNER.at, agent: 'club-tool/1' })
      expect((await verify(OWNER, mine, otp)).status).toBe(200)
    })

    test('cannot use up the two codes an hour reserved for the owner’s device', async () => {
      for (let i = 0; i < 5; i += 1) expect((await start(neighbour())).status).toBe(200)
      expect((await start({ at: OWNER.at })).body.code).toBe('TOO_MANY_REQUESTS')
      const { session } = (await start(OWNER)).body
      clock.forward(61)
      const resent = await ask(server, 'POST', 'user/auth/send-otp', { headers: headersOf(OWNER), body: { session, email } })
      expect(resent.status).toBe(200)
      clock.forward(61)
      // from the third on, codes count towards the limit that all at this address share
      expect((await start(OWNER)).body.code).toBe('TOO_MANY_REQUESTS')
      expect((await verify(OWNER, session, server.codeFor(email))).status).toBe(200)
    })

    test('cannot delay the owner by wrong guesses', async () => {
      const mine = (await start(OWNER)).body.session
      const otp = server.codeFor(email)
      for (let i = 0; i < 8; i += 1) {
        const one = neighbour()
        const { session } = (await start(one)).body
        for (let j = 0; j < 5; j += 1) await verify(one, session, wrong(otp))
      }
      expect((await verify(OWNER, mine, otp)).status).toBe(200)
    })

    test('gets five codes an hour and ten a day on one device, like anyone else', async () => {
      const one = neighbour()
      const sent = []
      for (let hour = 0; hour < 4; hour += 1) {
        for (let i = 0; i < 6; i += 1) {
          sent.push((await start(one)).status)
          clock.forward(61)
        }
        clock.forward(3600)
      }
      expect(sent.map((status) => (status === 200 ? 1 : 0)).join('')).toBe('111110111110000000000000')
    })

    test('has a code of their own; the owner’s sign-in refuses it and says which code to use', async () => {
      const mine = (await start(OWNER)).body.session
      await start(neighbour())
      const { body } = await verify(OWNER, mine, server.codeFor(email))
      expect(body).toMatchObject({ code: 'INVALID_CODE', message: expect.stringContaining('that you asked for on this device') })
    })
  })

  describe('made-up ids', () => {
    /** How many of so many starts, each with an id of its own, send a code. */
    const flood = async (at: string, times = 25) => {
      let sent = 0
      for (let i = 0; i < times; i += 1) sent += (await start({ at, deviceId: crypto.randomUUID() })).status === 200 ? 1 : 0
      return sent
    }

    test('get 20 codes a day at one network address', async () => {
      expect(await flood('192.0.2.1')).toBe(20)
      clock.forward(3601)
      expect(await flood('192.0.2.1')).toBe(0)
      expect((await enter(OWNER)).status).toBe(200)
      clock.forward(86_401)
      expect(await flood('192.0.2.1', 1)).toBe(1)
    })

    test('get 60 codes a day at all addresses together, the last 20 one per address; known devices are not counted', async () => {
      const known = (await enter(OWNER)).body
      expect([await flood('192.0.2.1'), await flood('192.0.2.2')]).toEqual([20, 19])
      let sent = 0
      for (let i = 3; i <= 30; i += 1) sent += await flood(`192.0.2.${i}`, 2)
      expect(sent).toBe(20)
      expect(server.mails(email).filter(({ text }) => /\b\d{8}\b/.test(text))).toHaveLength(60)
      const late = await start(other(99))
      expect([late.body.code, Number(late.headers.get('retry-after')) > 80_000]).toEqual(['TOO_MANY_REQUESTS', true])
      expect((await start(OWNER, { devices: [known.deviceSecret] })).status).toBe(200)
      clock.forward(86_401)
      expect((await start(other(99))).status).toBe(200)
    })

    test('get no more codes if the id is left out', async () => {
      let sent = 0
      for (let i = 1; i <= 20; i += 1) for (let j = 0; j < 5; j += 1) sent += (await start({ at: `192.0.2.${i}` })).status === 200 ? 1 : 0
      // eight addresses with five each, then one for each
      expect(sent).toBe(40 + 12)
    })
  })

  test('a code that no mail server accepts is not counted', async () => {
    email = `bounces@owner${count}.test`
    // the first start does not wait for a mail server that works; later ones know of the refusal
    expect((await start(STRANGER)).status).toBe(200)
    for (let i = 0; i < 7; i += 1) expect((await start(STRANGER)).body.code).toBe('MAIL_UNAVAILABLE')
    const rows = (await server.rows('sign_in_counts')).filter((row) => row['email_normal'] === email)
    expect(rows.flatMap((row) => row['mails'])).toEqual([])
  })

  test('the same device gets one code within 60 s, even on another network, and another code for other onboarding data', async () => {
    const { session } = (await start(OWNER)).body
    expect((await start({ ...OWNER, at: '192.0.2.200' })).body.session).toBe(session)
    expect((await start({ ...OWNER, deviceId: OWNER.deviceId.toUpperCase() })).body.session).toBe(session)
    expect(server.mails(email)).toHaveLength(1)
    const data = { userTypeCode: 'coach', firstName: 'Alex', lastName: 'Bergeron', city: 'Montréal', country: 'Canada' }
    const coach = (await start(OWNER, data)).body.session
    expect((await start(OWNER, { ...data, firstName: 'Alexe' })).body.session).not.toBe(coach)
    expect(server.mails(email)).toHaveLength(3)
  })

  test('without an id every start is a separate sign-in, even with the same address and browser', async () => {
    const program = { at: OWNER.at, agent: 'club-tool/1.2' }
    const { session } = (await start(program)).body
    const otp = server.codeFor(email)
    const theirs = (await start(program)).body.session
    expect(theirs).not.toBe(session)
    await guessAll(program, theirs)
    expect((await verify(program, session, otp)).status).toBe(200)
  })

  test.each([
    ['a household’s IPv6 /56', (i: number) => `2001:db8:1:2${i}::${i + 1}`, '2001:db8:1:100::1'],
    ['an IPv4 address with a port behind it', (i: number) => `192.0.2.77${i === 5 ? '' : `:500${i}`}`, '192.0.2.78:5001'],
    ['an IPv6 address with a port behind it', (i: number) => `[2001:db8:2:0::1]${i === 5 ? '' : `:500${i}`}`, '[2001:db8:3::1]:5001'],
  ])('%s counts as one network address', async (_what, address, elsewhere) => {
    const statuses = []
    for (let i = 0; i < 6; i += 1) statuses.push((await start({ at: address(i) })).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    expect((await start({ at: elsewhere })).status).toBe(200)
  })

  test('neither network addresses nor device ids are stored, and no hash links two e-mails on one device', async () => {
    await start(OWNER)
    const first = email
    email = `second.${email}`
    await start(OWNER)
    for (const table of ['sign_in_challenges', 'sign_in_counts']) {
      const text = JSON.stringify(await server.rows(table))
      for (const secret of [OWNER.at, OWNER.deviceId]) expect(text).not.toContain(secret)
    }
    const rows = await server.rows('sign_in_challenges')
    const of = (address: string) => rows.find((row) => row['email'] === address)
    for (const column of ['client', 'device']) expect(of(first)?.[column]).not.toBe(of(email)?.[column])
  })
})
