import { beforeEach, describe, expect, test } from 'vitest'
import type { Credentials } from '#contract/auth.ts'
import { ask, claimsOf, coachData, movableClock, signIn } from '#tests/support/person.ts'
import { givenServer, startServer } from '#tests/support/start-server.ts'

const MINUTE_SECONDS = 60

describe('sign-in', () => {
  const clock = movableClock()
  const server = givenServer({ clock, env: { STARTS_PER_HOUR_PER_ADDRESS: '100000', VERIFIES_PER_HOUR_PER_ADDRESS: '100000' } })
  let count = 0
  let email = ''
  let deviceId = ''

  beforeEach(() => {
    count += 1
    email = `person${count}@club.test`
    deviceId = crypto.randomUUID()
  })

  const initiate = (body: object) =>
    ask<{ session: string; challengeName: string; code: string }>(server, 'POST', 'user/auth/initiate', { body })
  const verify = (body: object) => ask<Credentials & { code: string; message: string }>(server, 'POST', 'user/auth/verify-otp', { body })
  const resend = (body: object) => ask<{ session: string; code: string }>(server, 'POST', 'user/auth/send-otp', { body })
  const start = async (userTypeCode = 'player', more: object = {}) =>
    (await initiate({ email, userTypeCode, deviceId, ...more })).body.session
  const wrongFor = (code: string) => String((Number(code) + 1) % 10 ** 8).padStart(8, '0')

  test('a code by e-mail creates a player', async () => {
    const started = await initiate({ email, userTypeCode: 'player' })
    expect(started.status).toBe(200)
    expect(started.body.challengeName).toBe('EMAIL_OTP')
    expect(await server.rows('users')).not.toContainEqual(expect.objectContaining({ email }))
    const { status, body } = await verify({ session: started.body.session, email, otp: server.codeFor(email) })
    expect(status).toBe(200)
    expect(body.expiresIn).toBe(1800)
    expect(claimsOf(body.accessToken)).toMatchObject({ userTypeCode: 'player' })
    expect(JSON.stringify(claimsOf(body.accessToken))).not.toContain(email)
    expect(claimsOf(body.idToken)).toMatchObject({ email, sub: claimsOf(body.accessToken)['sub'] })
  })

  test('a coach account is created from the onboarding data, at verification', async () => {
    const { accessToken, idToken, userId } = await signIn(server, email, 'coach', coachData)
    expect(claimsOf(idToken)).toMatchObject({ name: 'Alex Bergeron', given_name: 'Alex' })
    const { body } = await ask(server, 'GET', `user/${userId}`, { bearer: accessToken })
    expect(body).toMatchObject({ userTypeCode: 'coach', firstName: 'Alex', lastName: 'Bergeron', countryId: 'Canada', cityId: 'Montréal' })
  })

  test('INPUT-7: a second start within 60 s is the same challenge and no second mail', async () => {
    const first = await start()
    clock.forward(59)
    expect(await start()).toBe(first)
    expect(server.mails(email)).toHaveLength(1)
    clock.forward(2)
    expect(await start()).not.toBe(first)
    expect(server.mails(email)).toHaveLength(2)
  })

  test('INPUT-7: sending again within 60 s is refused with the time to wait', async () => {
    const session = await start()
    clock.forward(20)
    const early = await resend({ session, email })
    expect([early.status, early.body.code, early.headers.get('retry-after')]).toEqual([429, 'RESEND_TOO_SOON', '40'])
    clock.forward(40)
    const code = server.codeFor(email)
    expect((await resend({ session, email })).body.session).toBe(session)
    expect(server.mails(email)).toHaveLength(2)
    expect((await verify({ session, email, otp: code })).body.code).toBe('INVALID_CODE')
    expect((await verify({ session, email, otp: server.codeFor(email) })).status).toBe(200)
  })

  test('INPUT-8: a mail server that refuses is 503, and nothing is counted', async () => {
    const bouncing = `bounces@${count}.test`
    // the first start does not wait for a mail server that works; later ones know of the refusal
    expect((await initiate({ email: bouncing, userTypeCode: 'player' })).status).toBe(200)
    for (let i = 0; i < 7; i += 1) {
      const { status, body } = await initiate({ email: bouncing, userTypeCode: 'player' })
      expect([status, body.code]).toEqual([503, 'MAIL_UNAVAILABLE'])
    }
    expect((await server.rows('sign_in_challenges')).filter((row) => row['email'] === bouncing)).toEqual([])
  })

  test('INPUT-10, INPUT-11: four wrong codes are allowed; after the fifth even the right one is refused', async () => {
    const session = await start()
    const otp = server.codeFor(email)
    for (let i = 0; i < 4; i += 1) {
      const { status, body } = await verify({ session, email, otp: wrongFor(otp) })
      expect([status, body.code]).toEqual([401, 'INVALID_CODE'])
    }
    expect((await verify({ session, email, otp: wrongFor(otp) })).body.code).toBe('CODE_EXHAUSTED')
    expect((await verify({ session, email, otp })).body.code).toBe('CODE_EXHAUSTED')
  })

  test('INPUT-12: a code expires after 10 minutes', async () => {
    const session = await start()
    const otp = server.codeFor(email)
    clock.forward(10 * MINUTE_SECONDS + 1)
    const { status, body } = await verify({ session, email, otp })
    expect([status, body.code]).toEqual([401, 'CODE_EXPIRED'])
  })

  test('INPUT-13: a code is valid only for its own sign-in and e-mail', async () => {
    const session = await start()
    const otp = server.codeFor(email)
    const other = `other${count}@club.test`
    const foreign = (await initiate({ email: other, userTypeCode: 'player' })).body.session
    expect((await verify({ session: foreign, email: other, otp })).body.code).toBe('INVALID_CODE')
    expect((await verify({ session, email: other, otp })).body.code).toBe('INVALID_CODE')
    expect((await verify({ session: 'nonsense', email, otp })).body.code).toBe('INVALID_CODE')
    expect((await verify({ session, email, otp })).status).toBe(200)
  })

  test('INPUT-14: a code works once', async () => {
    const session = await start()
    const otp = server.codeFor(email)
    expect((await verify({ session, email, otp })).status).toBe(200)
    const again = await verify({ session, email, otp })
    expect([again.status, again.body.code]).toEqual([401, 'INVALID_CODE'])
  })

  test('SECURITY-4: the right code sent 64 times at once signs in once', async () => {
    const session = await start()
    const otp = server.codeFor(email)
    const replies = await Promise.all(Array.from({ length: 64 }, () => verify({ session, email, otp })))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ body }) => body.code === 'INVALID_CODE')).toHaveLength(63)
  })

  test('SECURITY-4: of 64 concurrent wrong guesses, at most five are checked', async () => {
    const session = await start()
    const otp = server.codeFor(email)
    const replies = await Promise.all(Array.from({ length: 64 }, () => verify({ session, email, otp: wrongFor(otp) })))
    expect(replies.filter(({ body }) => body.code === 'INVALID_CODE')).toHaveLength(4)
    expect(replies.filter(({ body }) => body.code === 'CODE_EXHAUSTED')).toHaveLength(60)
  })

  test('SECURITY-4: new codes do not allow more guesses: after 20 wrong ones a day the wait doubles', async () => {
    const guessAll = async () => {
      const session = await start()
      const otp = wrongFor(server.codeFor(email))
      let last = await verify({ session, email, otp })
      for (let i = 0; i < 4; i += 1) last = await verify({ session, email, otp })
      clock.forward(15 * MINUTE_SECONDS)
      return last
    }
    for (let i = 0; i < 4; i += 1) await guessAll()
    const session = await start()
    const otp = server.codeFor(email)
    expect((await verify({ session, email, otp: wrongFor(otp) })).body.code).toBe('INVALID_CODE')
    const blocked = await verify({ session, email, otp })
    expect([blocked.status, blocked.body.code, blocked.headers.get('retry-after')]).toEqual([429, 'TOO_MANY_REQUESTS', '2'])
    clock.forward(2)
    expect((await verify({ session, email, otp })).status).toBe(200)
  })

  test('LOGIN-14: after too many tries a code is invalid, and the next start mails a new one at once', async () => {
    const spent = await start()
    const otp = server.codeFor(email)
    for (let i = 0; i < 5; i += 1) await verify({ session: spent, email, otp: wrongFor(otp) })
    const session = await start()
    expect(session).not.toBe(spent)
    expect(server.mails(email)).toHaveLength(2)
    expect((await verify({ session: spent, email, otp })).body.code).toBe('CODE_EXHAUSTED')
    expect(await start()).toBe(session)
    expect(server.mails(email)).toHaveLength(2)
    expect((await verify({ session, email, otp: server.codeFor(email) })).status).toBe(200)
  })

  test('SECURITY-4: exhausting codes one after the other allows no more guesses and no more mails', async () => {
    const useUp = async () => {
      const { status, body } = await initiate({ email, userTypeCode: 'player', deviceId })
      if (status !== 200) return [body.code]
      const otp = wrongFor(server.codeFor(email))
      const replies = []
      for (let i = 0; i < 5; i += 1) replies.push((await verify({ session: body.session, email, otp })).body.code)
      return replies
    }
    const times = (count: number, code: string) => Array.from({ length: count }, () => code)
    for (let i = 0; i < 4; i += 1) expect(await useUp()).toEqual([...times(4, 'INVALID_CODE'), 'CODE_EXHAUSTED'])
    // after 20 wrong guesses in a day, the waits apply to every code
    expect(await useUp()).toEqual(times(5, 'TOO_MANY_REQUESTS'))
    clock.forward(59)
    expect(await useUp()).toEqual(['INVALID_CODE', ...times(4, 'TOO_MANY_REQUESTS')])
    // five mails were sent in this hour
    clock.forward(2)
    expect(await useUp()).toEqual(['TOO_MANY_REQUESTS'])
    expect(server.mails(email)).toHaveLength(5)
  })

  test('at most 5 mails an hour and 10 a day', async () => {
    const sent = []
    for (let i = 0; i < 8; i += 1) {
      sent.push((await initiate({ email, userTypeCode: 'player' })).status)
      clock.forward(61)
    }
    expect(sent).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
    clock.forward(60 * MINUTE_SECONDS)
    for (let i = 0; i < 8; i += 1) {
      sent.push((await initiate({ email, userTypeCode: 'player' })).status)
      clock.forward(13 * MINUTE_SECONDS)
    }
    expect(sent.slice(8)).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
    clock.forward(24 * 60 * MINUTE_SECONDS)
    expect((await initiate({ email, userTypeCode: 'player' })).status).toBe(200)
  })

  test('at most three challenges of an e-mail are live', async () => {
    const open: [string, string][] = []
    for (let i = 0; i < 4; i += 1) {
      open.push([await start(), server.codeFor(email)])
      clock.forward(61)
    }
    const [first, second] = open
    expect((await verify({ session: first?.[0], email, otp: first?.[1] })).body.code).toBe('INVALID_CODE')
    expect((await verify({ session: second?.[0], email, otp: second?.[1] })).status).toBe(200)
  })

  test('LOGIN-19: known, unknown and coach addresses get the same reply', async () => {
    await signIn(server, email)
    await signIn(server, `coach-${email}`, 'coach', coachData)
    clock.forward(61)
    const replies = await Promise.all(
      [email, `coach-${email}`, `new-${email}`].map((address) => initiate({ email: address, userTypeCode: 'player' })),
    )
    for (const { status, body } of replies) {
      expect(status).toBe(200)
      expect(Object.keys(body)).toEqual(['session', 'challengeName'])
    }
  })

  test('LOGIN-20: starting a sign-in changes nothing about an account', async () => {
    await signIn(server, email, 'coach', coachData)
    clock.forward(61)
    const before = (await server.rows('users')).find((row) => row['email'] === email)
    await start('coach', { firstName: 'Mallory', lastName: 'Other', city: 'Lyon', country: 'France' })
    expect((await server.rows('users')).find((row) => row['email'] === email)).toEqual(before)
    await verify({ session: await start('coach'), email, otp: server.codeFor(email) })
    expect((await server.rows('users')).find((row) => row['email'] === email)).toEqual(before)
  })

  test('LOGIN-4: a coach who uses the player sign-in is signed in as coach', async () => {
    await signIn(server, email, 'coach', coachData)
    clock.forward(61)
    const { accessToken } = await signIn(server, email, 'player')
    expect(claimsOf(accessToken)).toMatchObject({ userTypeCode: 'coach' })
  })

  test('ONBOARD-5: a player on coach onboarding gets USER_TYPE_MISMATCH and no tokens', async () => {
    await signIn(server, email, 'player')
    const before = (await server.rows('users')).find((row) => row['email'] === email)
    const { status, body } = await verify({ session: await start('coach', coachData), email, otp: server.codeFor(email) })
    expect([status, body.code, body.accessToken]).toEqual([409, 'USER_TYPE_MISMATCH', undefined])
    expect((await server.rows('users')).find((row) => row['email'] === email)).toEqual(before)
  })

  test('one e-mail has one account, ignoring case, even after two concurrent first sign-ins', async () => {
    const sessions = []
    for (const address of [email.toUpperCase(), email]) {
      sessions.push({ session: (await initiate({ email: address, userTypeCode: 'player' })).body.session, email: address })
      clock.forward(61)
    }
    const otps = server.mails(email).map((mail) => /\b\d{8}\b/.exec(mail.text)?.[0])
    const replies = await Promise.all(sessions.map((one, i) => verify({ ...one, otp: otps[1 - i] })))
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect((await server.rows('users')).filter((row) => row['email_normal'] === email)).toHaveLength(1)
  })

  test('SECURITY-3: codes are not stored in plain text', async () => {
    await start()
    const code = server.codeFor(email)
    for (const table of ['sign_in_challenges', 'sign_in_counts']) expect(JSON.stringify(await server.rows(table))).not.toContain(code)
  })

  test('ROLES-12: no other call accepts a user type', async () => {
    const person = await signIn(server, email)
    const { status, body } = await ask(server, 'PATCH', `user/${person.userId}`, {
      bearer: person.accessToken,
      body: { userTypeCode: 'coach' },
    })
    expect([status, body.code]).toEqual([400, 'UNKNOWN_FIELD'])
  })

  test('mails and refusals are in the requested language', async () => {
    await ask(server, 'POST', 'user/auth/initiate', { body: { email, userTypeCode: 'player' }, language: 'fr-CA,fr;q=0.9,en;q=0.5' })
    expect(server.mails(email)[0]?.subject).toBe('Ton code de connexion Touchline')
    const { body } = await ask(server, 'POST', 'user/auth/initiate', { body: { email: 'a@', userTypeCode: 'player' }, language: 'fr' })
    expect(body.message).toBe('Saisis une adresse e-mail valide.')
    expect(body.fields?.['email']).toBeTruthy()
  })

  test('mails that no call requested are in the language of the latest sign-in', async () => {
    const person = await signIn(server, email)
    const languageOf = async () => (await server.rows('users')).find(({ id }) => id === person.userId)?.['language']
    expect(await languageOf()).toBe('en')
    const started = await ask<{ session: string }>(server, 'POST', 'user/auth/initiate', {
      body: { email, userTypeCode: 'player' },
      language: 'fr',
    })
    // a start proves nothing, so it changes nothing
    expect(await languageOf()).toBe('en')
    const body = { session: started.body.session, email, otp: server.codeFor(email) }
    expect((await ask(server, 'POST', 'user/auth/verify-otp', { body })).status).toBe(200)
    expect(await languageOf()).toBe('fr')
  })

  test('INPUT-73: a server clock that jumps back an hour does not revive a code', async () => {
    const session = await start()
    const otp = server.codeFor(email)
    const person = await signIn(server, `steady${count}@club.test`)
    clock.forward(-3600)
    expect((await ask(server, 'GET', `user/${person.userId}`, { bearer: person.accessToken })).status).toBe(200)
    clock.forward(3600 + 10 * MINUTE_SECONDS + 1)
    expect((await verify({ session, email, otp })).body.code).toBe('CODE_EXPIRED')
    // to before it was sent, and to while it was valid
    for (const seconds of [-3600, 3600 - 5 * MINUTE_SECONDS]) {
      clock.forward(seconds)
      expect((await verify({ session, email, otp })).body.code).toBe('CODE_EXPIRED')
    }
    expect((await resend({ session, email })).body.code).toBe('CODE_EXPIRED')
    // nor is it given out again
    const next = await start()
    expect(next).not.toBe(session)
    expect((await verify({ session: next, email, otp: server.codeFor(email) })).status).toBe(200)
  })

  test('wrong guesses count on where two servers’ clocks are on both sides of midnight', async () => {
    const toMidnight = 86_400 - ((clock.now().getTime() / 1000) % 86_400)
    clock.forward(toMidnight - 15)
    const guess = async () => (await verify({ session: await start(), email, otp: '00000000' })).status
    const seen = []
    for (let guesses = 0; guesses < 24; guesses += 1) {
      clock.forward(guesses % 2 === 0 ? 30 : -30)
      seen.push(await guess())
    }
    clock.forward(-15)
    expect(seen).toContain(429)
  })

  test('after a server clock that was an hour ahead, a wrong guess does not cost an hour', async () => {
    clock.forward(3600)
    const early = await start()
    expect((await verify({ session: early, email, otp: '00000000' })).body.code).toBe('INVALID_CODE')
    clock.forward(-3600)
    const session = await start()
    expect((await verify({ session, email, otp: server.codeFor(email) })).status).toBe(200)
  })

  test('after a server clock that was days ahead, mails and guesses of then count for as long as those of now', async () => {
    const again = () => ask<{ session: string }>(server, 'POST', 'user/auth/initiate', { body: { email, userTypeCode: 'player' } })
    const days = 3 * 86_400
    clock.forward(days)
    for (let mails = 0; mails < 5; mails += 1) {
      const { body } = await again()
      for (let guesses = 0; guesses < 5; guesses += 1) await verify({ session: body.session, email, otp: '00000000' })
      clock.forward(61)
    }
    clock.forward(-days)
    const waiting = await again()
    expect([waiting.status, Number(waiting.headers.get('retry-after')) <= 3600]).toEqual([429, true])
    clock.forward(3601)
    const { status, body } = await again()
    expect(status).toBe(200)
    expect((await verify({ session: body.session, email, otp: server.codeFor(email) })).status).toBe(200)
  })
})

describe('limits per address', () => {
  test('starts and verifications are limited per hour, each by its setting', async () => {
    const server = await startServer({ env: { STARTS_PER_HOUR_PER_ADDRESS: '2', VERIFIES_PER_HOUR_PER_ADDRESS: '1' } })
    const initiate = (n: number) =>
      ask(server, 'POST', 'user/auth/initiate', { body: { email: `a${n}@club.test`, userTypeCode: 'player' } })
    expect([(await initiate(1)).status, (await initiate(2)).status]).toEqual([200, 200])
    const third = await ask(server, 'POST', 'user/auth/initiate', {
      body: { email: 'a3@club.test', userTypeCode: 'player' },
      // no proxy is trusted unless the settings say so
      headers: { 'x-forwarded-for': '203.0.113.9' },
    })
    expect([third.status, third.body.code]).toEqual([429, 'TOO_MANY_REQUESTS'])
    // until the hour is over
    expect(Number(third.headers.get('retry-after'))).toSatisfy((seconds: number) => seconds >= 1 && seconds <= 3600)
    const verify = () => ask(server, 'POST', 'user/auth/verify-otp', { body: { session: 'x', email: 'a1@club.test', otp: '12345678' } })
    expect([(await verify()).status, (await verify()).status]).toEqual([401, 429])
    await server.close()
  })
})
