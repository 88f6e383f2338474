import { createPublicKey } from 'node:crypto'
import { SignJWT, UnsecuredJWT } from 'jose'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Credentials } from '#contract/auth.ts'
import { APP_VERSION_HEADER } from '#contract/constants.ts'
import type { Profile } from '#contract/users.ts'
import { deleteOldSessions } from '#server/auth/sessions-store.ts'
import { deleteOldSignIns } from '#server/auth/store.ts'
import { loadKeys } from '#server/keys.ts'
import { ask, claimsOf, movableClock, signIn, type Person } from '#tests/support/person.ts'
import { givenServer } from '#tests/support/start-server.ts'

const DAY_SECONDS = 86_400

describe('sessions', () => {
  const clock = movableClock()
  const server = givenServer({ clock })
  let person: Person
  let count = 0

  beforeEach(async () => {
    count += 1
    person = await signIn(server, `session${count}@club.test`)
  })

  const refresh = (refreshToken: string, path = 'user/auth/refresh') =>
    ask<Credentials & { code: string }>(server, 'POST', path, { body: { refreshToken } })
  const profile = (bearer: string) => ask<Profile & { code: string }>(server, 'GET', `user/${person.userId}`, { bearer })

  describe('refresh', () => {
    test.each(['user/auth/refresh', 'auth/refresh'])('%s replaces the refresh token', async (path) => {
      const { status, body } = await refresh(person.refreshToken, path)
      expect(status).toBe(200)
      expect(body.refreshToken).not.toBe(person.refreshToken)
      expect((await profile(body.accessToken)).status).toBe(200)
    })

    test('after a lost reply the parent token gives the same child token, however late', async () => {
      const child = (await refresh(person.refreshToken)).body.refreshToken
      clock.forward(3 * DAY_SECONDS)
      expect((await refresh(person.refreshToken)).body.refreshToken).toBe(child)
      expect((await refresh(child)).status).toBe(200)
    })

    test('the parent token is accepted for 60 s after its child was used', async () => {
      const child = (await refresh(person.refreshToken)).body.refreshToken
      const grandchild = (await refresh(child)).body.refreshToken
      clock.forward(60)
      expect((await refresh(person.refreshToken)).body.refreshToken).toBe(child)
      // and the child still gives the same grandchild
      expect((await refresh(child)).body.refreshToken).toBe(grandchild)
      expect((await refresh(grandchild)).status).toBe(200)
    })

    test('INPUT-19: an older token ends the session', async () => {
      const child = await refresh(person.refreshToken)
      const grandchild = await refresh(child.body.refreshToken)
      clock.forward(61)
      const replayed = await refresh(person.refreshToken)
      expect([replayed.status, replayed.body.code]).toEqual([401, 'SESSION_REVOKED'])
      expect((await refresh(grandchild.body.refreshToken)).body.code).toBe('SESSION_REVOKED')
      expect((await profile(grandchild.body.accessToken)).status).toBe(401)
      await server.deps.jobs.settled('mails')
      expect(server.mails(person.email)[0]?.subject).toBe('One of your Touchline sessions was ended')
    })

    test.each([
      ['a parent token', true],
      ['the newest token', false],
    ])('%s used on another device ends the session, and its owner gets a mail', async (_what, isParent) => {
      const email = `device${count}${isParent}@club.test`
      const deviceId = crypto.randomUUID()
      const owner = await signIn(server, email, 'player', { deviceId })
      const asDevice = (refreshToken: string, more: object) =>
        ask<Credentials & { code: string }>(server, 'POST', 'user/auth/refresh', { body: { refreshToken, ...more } })
      const next = (await asDevice(owner.refreshToken, { deviceId })).body.refreshToken
      clock.forward(120)
      expect((await asDevice(owner.refreshToken, { deviceId: deviceId.toUpperCase() })).body.refreshToken).toBe(next)
      const stolen = await asDevice(isParent ? owner.refreshToken : next, isParent ? {} : { deviceId: crypto.randomUUID() })
      expect([stolen.status, stolen.body.code]).toEqual([401, 'SESSION_REVOKED'])
      expect((await asDevice(next, { deviceId })).body.code).toBe('SESSION_REVOKED')
      await server.deps.jobs.settled('mails')
      const [mail] = server.mails(email)
      expect(mail?.subject).toBe('One of your Touchline sessions was ended')
      expect(mail?.text).toContain('somewhere other than on the device it belongs to, or after a newer one had taken its place')
      const reused = (await server.rows('audit_entries')).filter(
        (one) => one['event'] === 'refresh-reused' && one['user_id'] === owner.userId,
      )
      expect(reused).toHaveLength(1)
      expect(JSON.stringify(await server.rows('sessions'))).not.toContain(deviceId)
    })

    test('a parent token that is used too often in a day ends the session', async () => {
      const next = (await refresh(person.refreshToken)).body.refreshToken
      const statuses = []
      for (let i = 0; i < 6; i += 1) {
        clock.forward(61)
        statuses.push((await refresh(person.refreshToken)).status)
      }
      expect(statuses).toEqual([200, 200, 200, 200, 200, 401])
      expect((await refresh(next)).body.code).toBe('SESSION_REVOKED')
    })

    test('a grandparent token replayed within the grace period ends the session, too', async () => {
      let token = person.refreshToken
      for (let i = 0; i < 3; i += 1) token = (await refresh(token)).body.refreshToken
      expect((await refresh(person.refreshToken)).body.code).toBe('SESSION_REVOKED')
      expect((await refresh(token)).body.code).toBe('SESSION_REVOKED')
    })

    test('eight tabs at once get the same child token', async () => {
      const replies = await Promise.all(Array.from({ length: 8 }, () => refresh(person.refreshToken)))
      expect(new Set(replies.map(({ body }) => body.refreshToken)).size).toBe(1)
    })

    test('is refused after 14 idle days, or 30 days in all', async () => {
      let token = person.refreshToken
      clock.forward(14 * DAY_SECONDS + 1)
      expect((await refresh(token)).body.code).toBe('SESSION_REVOKED')
      person = await signIn(server, `idle${count}@club.test`)
      token = person.refreshToken
      for (let i = 0; i < 3; i += 1) {
        clock.forward(9 * DAY_SECONDS)
        token = (await refresh(token)).body.refreshToken
      }
      clock.forward(3 * DAY_SECONDS + 1)
      expect((await refresh(token)).body.code).toBe('SESSION_REVOKED')
    })

    test('a sign-in that spans a change of REFRESH_KEY opens a session that its own device renews', async () => {
      const email = `spans${count}@club.test`
      const deviceId = crypto.randomUUID()
      const begun = await ask<{ session: string }>(server, 'POST', 'user/auth/initiate', {
        body: { email, userTypeCode: 'player', deviceId },
      })
      const { keys } = server.deps
      const before = keys.refreshKey
      onTestFinished(() => void (keys.refreshKey = before))
      keys.refreshKey = 'the key of a server that was started again between the code and the sign-in'
      const verified = await ask<Credentials>(server, 'POST', 'user/auth/verify-otp', {
        body: { session: begun.body.session, email, otp: server.codeFor(email) },
      })
      expect(verified.status).toBe(200)
      const { refreshToken } = verified.body
      const renewed = await ask(server, 'POST', 'user/auth/refresh', { body: { refreshToken, deviceId } })
      expect([renewed.status, renewed.body.code]).toEqual([200, undefined])
      await server.deps.jobs.settled('mails')
      expect(server.mails(email).map(({ subject }) => subject)).not.toContain('One of your Touchline sessions was ended')
    })

    test('a forged token is refused and does not end the session', async () => {
      const [id, number, hmac] = person.refreshToken.split('.')
      const forged = [
        `${id}.${Number(number) + 1}.${hmac}`,
        `${id}.${number}.${'A'.repeat(43)}`,
        'nonsense',
        `${crypto.randomUUID()}.0.${hmac}`,
      ]
      for (const token of forged) expect((await refresh(token)).body.code).toBe('INVALID_TOKEN')
      expect((await refresh(person.refreshToken)).status).toBe(200)
    })
  })

  describe('access token', () => {
    test('is signed by ES256, and contains only the user, the session, the user type and standard claims', () => {
      const header = JSON.parse(Buffer.from(person.accessToken.split('.')[0] ?? '', 'base64url').toString()) as object
      expect(header).toMatchObject({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) })
      expect(Object.keys(claimsOf(person.accessToken)).toSorted()).toEqual([
        'aud',
        'exp',
        'iat',
        'iss',
        'jti',
        'sid',
        'sub',
        'userTypeCode',
      ])
    })

    test('is valid for 30 minutes, with a minute of leeway', async () => {
      clock.forward(1800 + 59)
      expect((await profile(person.accessToken)).status).toBe(200)
      clock.forward(2)
      expect((await profile(person.accessToken)).body.code).toBe('INVALID_TOKEN')
    })

    test('INPUT-16, INPUT-17: no other token opens anything', async () => {
      const { deps } = server
      const [key] = deps.keys.signing
      if (!key) throw new Error('no key')
      const claims = claimsOf(person.accessToken)
      const signed = (change: object, header: object = {}, secret: Parameters<SignJWT['sign']>[0] = key.privateKey) =>
        new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid, ...header }).sign(secret)
      const publicPem = new TextEncoder().encode(createPublicKey(key.privateKey).export({ type: 'spki', format: 'pem' }).toString())
      const [head, payload, signature] = person.accessToken.split('.')
      const edited = Buffer.from(JSON.stringify({ ...claims, sub: crypto.randomUUID() })).toString('base64url')
      const tokens = [
        person.idToken,
        person.refreshToken,
        new UnsecuredJWT(claims).encode(),
        `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${payload}.`,
        `${head}.${edited}.${signature}`,
        `${head}.${payload}.`,
        `${head}.${payload}.${'A'.repeat(86)}`,
        await signed({}, { alg: 'HS256' }, publicPem),
        await signed({}, { typ: 'JWT' }),
        await signed({}, { kid: 'other' }),
        await signed({ aud: 'https://elsewhere.test' }),
        await signed({ iss: 'https://elsewhere.test' }),
        await signed({ sid: crypto.randomUUID() }),
        await signed({ sub: crypto.randomUUID() }),
        await signed({ sub: 'me' }),
        await signed({ exp: 1 }),
      ]
      for (const token of tokens) expect([(await profile(token)).status, token]).toEqual([401, token])
      // without such a change the token is accepted
      expect((await profile(await signed({}))).status).toBe(200)
    })
  })

  describe('the end of a session', () => {
    test('SESSION-18: sign-out ends access at once, and is idempotent', async () => {
      const logout = () => ask(server, 'POST', 'user/auth/logout', { bearer: person.accessToken })
      expect((await logout()).status).toBe(204)
      expect((await profile(person.accessToken)).body.code).toBe('INVALID_TOKEN')
      expect((await refresh(person.refreshToken)).body.code).toBe('SESSION_REVOKED')
      expect((await logout()).status).toBe(204)
      expect((await ask(server, 'POST', 'user/auth/logout')).status).toBe(204)
      expect((await ask(server, 'POST', 'user/auth/logout', { bearer: 'nonsense' })).status).toBe(204)
    })

    test('SESSION-18: a sign-out is heard with an access token that has expired, which gives access to nothing else', async () => {
      clock.forward(2 * 3600)
      expect((await profile(person.accessToken)).body.code).toBe('INVALID_TOKEN')
      expect((await ask(server, 'POST', 'user/auth/logout', { bearer: person.accessToken })).status).toBe(204)
      expect((await refresh(person.refreshToken)).body.code).toBe('SESSION_REVOKED')
      expect((await profile(person.accessToken)).body.code).toBe('INVALID_TOKEN')
    })

    test('SESSION-18: a sign-out is heard with a token of an older signing key; once that is removed, it ends nothing', async () => {
      const { keys } = server.deps
      const before = keys.signing
      onTestFinished(() => void (keys.signing = before))
      const { signing } = await loadKeys(server.deps.env, null)
      const logout = (bearer: string) => ask(server, 'POST', 'user/auth/logout', { bearer })
      clock.forward(61)
      const phone = await signIn(server, person.email)
      keys.signing = [...signing, ...before]
      expect((await logout(person.accessToken)).status).toBe(204)
      expect((await refresh(person.refreshToken)).body.code).toBe('SESSION_REVOKED')
      keys.signing = signing
      expect((await logout(phone.accessToken)).status).toBe(204)
      expect((await refresh(phone.refreshToken)).status).toBe(200)
    })

    test('SESSION-18: a sign-out is heard from an app that is too old for every other call', async () => {
      const headers = { [APP_VERSION_HEADER]: '0' }
      const { accessToken } = person
      const read = await ask(server, 'GET', `user/${person.userId}`, { bearer: accessToken, headers })
      expect(read.body.code).toBe('UPDATE_REQUIRED')
      expect((await ask(server, 'POST', 'user/auth/logout', { bearer: accessToken, headers })).status).toBe(204)
      expect((await refresh(person.refreshToken)).body.code).toBe('SESSION_REVOKED')
    })

    test('signing out leaves another device signed in', async () => {
      clock.forward(61)
      const tablet = await signIn(server, person.email)
      await ask(server, 'POST', 'user/auth/logout', { bearer: person.accessToken })
      expect((await profile(tablet.accessToken)).status).toBe(200)
    })

    test('the eleventh sign-in ends the oldest session', async () => {
      const people = [person]
      for (let i = 0; i < 10; i += 1) {
        clock.forward(13 * 60)
        if (i % 5 === 4) clock.forward(DAY_SECONDS)
        people.push(await signIn(server, person.email))
      }
      const replies = await Promise.all(people.map((one) => refresh(one.refreshToken)))
      expect(replies.map(({ status }) => status)).toEqual([401, ...Array.from({ length: 10 }, () => 200)])
    })

    test('closing an account ends access at once, and a right code is refused with the reason', async () => {
      const { deps } = server
      await deps.db.execute(`update users set deactivated_at = now() where id = '${person.userId}'`)
      expect((await profile(person.accessToken)).status).toBe(401)
      expect((await refresh(person.refreshToken)).status).toBe(401)
      clock.forward(61)
      await expect(signIn(server, person.email)).rejects.toThrow('ACCOUNT_CLOSED')
    })
  })

  test('old sign-ins are deleted, but not what limits still count', async () => {
    const { deps } = server
    await ask(server, 'POST', 'user/auth/initiate', { body: { email: 'never@club.test', userTypeCode: 'player' } })
    const left = async (table: string) => (await server.rows(table)).filter((row) => row['email_normal'] === 'never@club.test').length
    await deleteOldSignIns(deps.db, clock.now())
    expect([await left('sign_in_challenges'), await left('sign_in_counts')]).toEqual([1, 2]) // the source's and the total
    clock.forward(2 * DAY_SECONDS)
    await deleteOldSignIns(deps.db, clock.now())
    expect([await left('sign_in_challenges'), await left('sign_in_counts')]).toEqual([0, 0])
    expect((await refresh(person.refreshToken)).status).toBe(200)
  })

  test('a session is deleted a month after its end, and not before', async () => {
    const { deps } = server
    const left = async () => (await server.rows('sessions')).filter((row) => row['user_id'] === person.userId).length
    const before = await left()
    clock.forward(59 * DAY_SECONDS)
    await deleteOldSessions(deps.db, clock.now())
    expect(await left()).toBe(before)
    clock.forward(2 * DAY_SECONDS)
    await deleteOldSessions(deps.db, clock.now())
    expect(await left()).toBe(0)
  })
})
