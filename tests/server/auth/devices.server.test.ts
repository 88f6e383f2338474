import { beforeEach, describe, expect, test } from 'vitest'
import type { OpenSession } from '#contract/auth.ts'
import { ask, claimsOf, coachData, movableClock, signIn, type Person } from '#tests/support/person.ts'
import { givenServer } from '#tests/support/start-server.ts'
import { serverWithMail } from '#tests/server/mailer/support.ts'

const PHONE = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36'
const LAPTOP = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15'
const PORTAL = 'https://portal.test'

/** Users see where they are signed in, get a mail about each new device, and can end sessions. */
describe('devices', () => {
  const clock = movableClock()
  const server = givenServer({ clock, env: { PUBLIC_URL: PORTAL, MAILS_PER_HOUR: '100', MAILS_PER_DAY: '1000' } })
  let email = ''
  let count = 0

  beforeEach(() => {
    count += 1
    email = `devices${count}@club.test`
  })

  interface Entered extends Person {
    deviceSecret: string
    sid: string
  }
  /** Signs in with the calls that a browser makes. */
  async function enter(agent: string, more: object = {}, language = 'en'): Promise<Entered> {
    clock.forward(61)
    const headers = { 'user-agent': agent }
    const body = { email, userTypeCode: 'player', deviceId: crypto.randomUUID(), ...more }
    const { session } = (await ask<{ session: string }>(server, 'POST', 'user/auth/initiate', { body, headers, language })).body
    const verified = await ask<Entered>(server, 'POST', 'user/auth/verify-otp', {
      body: { session, email, otp: server.codeFor(email) },
      headers,
    })
    const claims = claimsOf(verified.body.accessToken)
    return { ...verified.body, email, userId: String(claims['sub']), sid: String(claims['sid']) }
  }
  const list = async (person: Person) =>
    (await ask<{ data: OpenSession[] }>(server, 'GET', `user/${person.userId}/sessions`, { bearer: person.accessToken })).body.data
  const post = (person: Person, path: string) =>
    ask(server, 'POST', `user/${person.userId}/sessions/${path}`, { bearer: person.accessToken })
  const isIn = async (person: Person) => (await ask(server, 'GET', `user/${person.userId}`, { bearer: person.accessToken })).status === 200
  const refresh = (person: Person) => ask(server, 'POST', 'user/auth/refresh', { body: { refreshToken: person.refreshToken } })
  const ended = async () =>
    (await server.rows('audit_entries')).filter((one) => one['event'] === 'session-ended').map((one) => one['about'])

  test('are listed by name, with first and last use and the current one, without addresses', async () => {
    const phone = await enter(PHONE, { deviceId: undefined })
    const begun = clock.now().toISOString()
    const laptop = await enter(LAPTOP)
    clock.forward(1200)
    await refresh(phone)
    expect(await list(laptop)).toEqual([
      { id: phone.sid, agent: 'Chrome, Android', startedAt: begun, lastUsedAt: clock.now().toISOString(), isCurrent: false },
      { id: laptop.sid, agent: 'Safari, Mac', startedAt: expect.any(String), lastUsedAt: expect.any(String), isCurrent: true },
    ])
    const stored = (await server.rows('sessions')).find((one) => one['id'] === laptop.sid)
    expect(JSON.stringify(stored)).not.toMatch(/127\.0\.0\.1|Macintosh/)
  })

  test('ended sessions are not listed: signed out, idle, too old', async () => {
    const left = await enter(PHONE)
    await ask(server, 'POST', 'user/auth/logout', { bearer: left.accessToken })
    await enter(PHONE)
    clock.forward(14 * 86_400)
    const laptop = await enter(LAPTOP)
    expect((await list(laptop)).map(({ id }) => id)).toEqual([laptop.sid])
  })

  test('one can be signed out from another at once, and that is logged', async () => {
    const phone = await enter(PHONE)
    const laptop = await enter(LAPTOP)
    expect((await post(laptop, `${phone.sid}/end`)).status).toBe(204)
    expect([await isIn(phone), await isIn(laptop)]).toEqual([false, true])
    expect((await refresh(phone)).body.code).toBe('SESSION_REVOKED')
    expect(await ended()).toContain(phone.sid)
    expect((await post(laptop, `${phone.sid}/end`)).body.code).toBe('NOT_FOUND')
  })

  test('all others can be signed out at once; the current one stays signed in', async () => {
    const others = [await enter(PHONE), await enter(PHONE)]
    const laptop = await enter(LAPTOP)
    for (let i = 0; i < 2; i += 1) expect((await post(laptop, 'end-others')).status).toBe(204)
    expect(await Promise.all([...others, laptop].map(isIn))).toEqual([false, false, true])
    expect((await list(laptop)).map(({ id }) => id)).toEqual([laptop.sid])
    expect((await ended()).filter((id) => others.some(({ sid }) => sid === id))).toHaveLength(2)
  })

  test('nobody can end another user’s session', async () => {
    const phone = await enter(PHONE)
    const coach = await signIn(server, `coach${count}@club.test`, 'coach', coachData)
    for (const [id, sessionId] of [
      [coach.userId, phone.sid],
      [phone.userId, phone.sid],
      [coach.userId, 'x'],
    ]) {
      const reply = await ask(server, 'POST', `user/${id}/sessions/${sessionId}/end`, { bearer: coach.accessToken })
      expect([reply.status, reply.body.code]).toEqual([404, 'NOT_FOUND'])
    }
    await post(coach, 'end-others')
    expect(await isIn(phone)).toBe(true)
  })

  const newDeviceMails = () => server.mails(email).filter(({ subject }) => subject === 'A new sign-in to your Touchline account')

  test('a new device is reported to its owner, with what to do, and logged', async () => {
    const first = await enter(PHONE)
    const second = await enter(LAPTOP)
    await expect.poll(() => newDeviceMails().length).toBe(1)
    const [mail] = newDeviceMails()
    for (const words of ['Safari, Mac', ' UTC', 'Sign out everywhere else', `${PORTAL}/profile`]) expect(mail?.text).toContain(words)
    expect(mail?.text).not.toMatch(/\d{8}|127\.0\.0\.1|\{\{/)
    const noted = (await server.rows('audit_entries')).filter((one) => one['event'] === 'new-device').map((one) => one['about'])
    expect(noted).toContain(second.sid)
    expect(noted).not.toContain(first.sid)
  })

  test('a new device is reported in the language of its sign-in, even if it has no name', async () => {
    await enter(PHONE)
    await enter('\u003f', {}, 'fr')
    const french = () => server.mails(email).filter(({ subject }) => subject === 'Nouvelle connexion à ton compte Touchline')
    await expect.poll(() => french().length).toBe(1)
    expect(french()[0]?.text).toContain('un appareil sans nom')
    expect(french()[0]?.text).toContain('Se déconnecter partout ailleurs')
  })

  test('WORDS-4: a new device on a first of the month is reported as French writes that day', async () => {
    const now = clock.now()
    clock.forward((Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 12) - now.getTime()) / 1000)
    await enter(PHONE)
    await enter(LAPTOP, {}, 'fr')
    const french = () => server.mails(email).find(({ subject }) => subject === 'Nouvelle connexion à ton compte Touchline')
    await expect.poll(french).toBeDefined()
    expect(french()?.text).toMatch(/Safari, Mac, 1er \p{L}+ \d{4} à 12:\d\d UTC/u)
  })

  test('the first device of an account and a known one are not reported', async () => {
    const first = await enter(PHONE)
    await enter(PHONE, { devices: [first.deviceSecret] })
    // a mail about one of those above would arrive before the mail about this one
    await enter(LAPTOP)
    await expect.poll(() => newDeviceMails().length).toBe(1)
    expect(newDeviceMails()[0]?.text).toContain('Safari, Mac')
  })
})

test('no call waits for the mail about a new device', async () => {
  const { server, smtp } = await serverWithMail()
  const email = 'waits@club.test'
  const account = { email, userTypeCode: 'player' }
  await ask(server, 'POST', 'user', { bearer: server.deps.keys.operatorKey, body: account })
  const { session } = (await ask<{ session: string }>(server, 'POST', 'user/auth/initiate', { body: account })).body
  await expect.poll(() => smtp.delivered.length).toBe(1)
  smtp.hold()
  const otp = server.codeFor(email)
  expect((await ask(server, 'POST', 'user/auth/verify-otp', { body: { session, email, otp } })).status).toBe(200)
  expect(smtp.delivered).toHaveLength(1)
  smtp.release()
  await expect.poll(() => smtp.delivered.length).toBe(2)
  expect(smtp.delivered[1]).toMatchObject({ to: email, subject: 'A new sign-in to your Touchline account' })
})
