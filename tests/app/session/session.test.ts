import { afterEach, describe, expect, test, vi } from 'vitest'
import { noteServerDate, serverNow } from '#app/api/server-clock.ts'
import { storeCredentials } from '#app/session/credentials.ts'
import { readCredentials } from '#app/session/read-credentials.ts'
import { maskEmail } from '#app/session/challenge.ts'
import { ownPath } from '#app/session/return-to.ts'
import { sessionOf } from '#app/session/session-of.ts'
import { userOf, userTypeCodeOf } from '#app/session/user.ts'

const part = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url')
const token = (claims: object) => `${part({ alg: 'ES256' })}.${part(claims)}.signature`

function storage() {
  const values = new Map<string, string>()
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
    values,
  }
}

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('credentials', () => {
  const access = token({ userTypeCode: 'player' })
  const given = { accessToken: access, refreshToken: 'r', idToken: 'i', expiresIn: 1800 }

  test('are stored under the four keys of SESSION-3 and read back', () => {
    vi.useFakeTimers({ now: 1_000_000 })
    noteServerDate(null)
    const store = storage()
    storeCredentials(given, store)
    expect(Object.fromEntries(store.values)).toEqual({ accessToken: access, refreshToken: 'r', idToken: 'i', expiresAt: '2800000' })
    expect(readCredentials(store)).toEqual({ accessToken: access, refreshToken: 'r', idToken: 'i', expiresAt: 2_800_000 })
  })

  test('a missing token has its stored value removed', () => {
    const store = storage()
    storeCredentials(given, store)
    storeCredentials({ accessToken: 'b', expiresIn: 1800 }, store)
    expect([...store.values.keys()].toSorted()).toEqual(['accessToken', 'expiresAt'])
  })

  test.each(['expiresAt', 'accessToken', 'refreshToken', 'idToken'])(
    'when storage is too full for %s all four stay as they were',
    (full) => {
      const store = storage()
      storeCredentials(given, store)
      const before = new Map(store.values)
      const setItem = (key: string, value: string) => {
        if (key === full && value !== before.get(key)) throw new DOMException('full', 'QuotaExceededError')
        store.setItem(key, value)
      }
      const next = { accessToken: 'a2', refreshToken: 'r2', idToken: 'i2', expiresIn: 3600 }
      expect(() => storeCredentials(next, { ...store, setItem })).toThrow('full')
      expect(store.values).toEqual(before)
    },
  )

  test.each([
    ['right', 0],
    ['two hours ahead', 2 * 3_600_000],
    ['ten years ahead', 10 * 31_557_600_000],
    ['ten years behind', -10 * 31_557_600_000],
  ])('a device clock that is %s changes nothing', (_, skew) => {
    const truth = Date.UTC(2026, 10, 20, 12)
    vi.useFakeTimers({ now: truth + skew })
    noteServerDate(new Date(truth).toUTCString())
    expect(serverNow()).toBe(truth)
    const store = storage()
    storeCredentials({ ...given, idToken: token({ sub: 'u' }) }, store)
    expect(readCredentials(store).expiresAt).toBe(truth + 1_800_000)
    expect(sessionOf(readCredentials(store), serverNow(), false).status).toBe('verified')
    vi.setSystemTime(truth + skew + 1_800_001)
    expect(sessionOf(readCredentials(store), serverNow(), false).status).toBe('known')
  })
})

describe('status', () => {
  const stored = { accessToken: token({ userTypeCode: 'coach' }), refreshToken: 'r', idToken: token({ sub: 'u' }), expiresAt: 1_000_000 }

  test('authenticated means a token that is present and not expired', () => {
    expect(sessionOf(stored, 0, false)).toMatchObject({ status: 'verified', userTypeCode: 'coach', isExpiringSoon: false })
    expect(sessionOf(stored, 1_000_000 - 5 * 60_000, false).isExpiringSoon).toBe(true)
    expect(sessionOf(stored, 1_000_000, false)).toMatchObject({ status: 'known', isExpiringSoon: true })
  })

  test('a guest has neither a valid token nor a way to get one', () => {
    expect(sessionOf({}, 0, false).status).toBe('guest')
    const { refreshToken: _, ...spent } = stored
    expect(sessionOf(spent, 2_000_000, false).status).toBe('guest')
  })
})

describe('user', () => {
  test('is read from the claims of the id token, with defaults (SESSION-2)', () => {
    expect(userOf(token({ sub: '1', email: 'a@b.test', name: 'Zoé', given_name: 'Z' }))).toEqual({
      id: '1',
      email: 'a@b.test',
      name: 'Zoé',
      given_name: 'Z',
    })
    expect(userOf(token({ sub: '1', given_name: 'Zoé' }))).toEqual({ id: '1', email: '1', name: 'Zoé', given_name: 'Zoé' })
    expect(userOf(token({}))).toEqual({ id: 'Unknown', email: 'Unknown', name: 'User', given_name: undefined })
  })

  test('is undefined for a token that cannot be decoded, which is logged', () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    expect(userOf('nonsense')).toBeUndefined()
    expect(userTypeCodeOf('a.b.c')).toBeUndefined()
    expect(log).toHaveBeenCalledTimes(2)
    expect(userOf(undefined)).toBeUndefined()
    expect(log).toHaveBeenCalledTimes(2)
  })

  test('has the type of the access token, which is player or coach', () => {
    expect(userTypeCodeOf(token({ userTypeCode: 'player' }))).toBe('player')
    expect(userTypeCodeOf(token({ userTypeCode: 'admin' }))).toBeUndefined()
  })
})

test.each([
  ['/assessment/1/brief?x=1#y', '/assessment/1/brief?x=1#y'],
  ['/', '/'],
  ['//evil.test/x', undefined],
  ['/\\evil.test', undefined],
  ['https://evil.test', undefined],
  ['javascript:alert(1)', undefined],
  ['/auth/login', undefined],
])('a sign-in with the target %s leads to %s', (target, path) => {
  expect(ownPath(target, 'https://touchline.test')).toBe(path)
})

test.each([
  ['player@club.test', 'p•••••@club.test'],
  ['a@b.test', 'a••@b.test'],
  ['averyveryverylongname@b.test', 'a••••••@b.test'],
])('the address %s is masked as %s', (email, masked) => {
  expect(maskEmail(email)).toBe(masked)
})
