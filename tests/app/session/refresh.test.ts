import { describe, expect, test } from 'vitest'
import { ApiError } from '#app/api/api-error.ts'
import { createRefresh } from '#app/session/refresh.ts'
import type { StoredCredentials } from '#app/session/read-credentials.ts'
import type { Credentials } from '#contract/auth.ts'

const refused = (status = 401) => new ApiError({ kind: 'HTTP', status, data: { code: 'SESSION_REVOKED', message: '', requestId: '' } })
const next = (name: string): Credentials => ({ accessToken: `a-${name}`, refreshToken: `r-${name}`, idToken: 'i', expiresIn: 1800 })

/** Tabs that share one storage and one lock, and a server that each of them asks. */
function sharedTabs() {
  const world = {
    stored: { accessToken: 'a-0', refreshToken: 'r-0', idToken: 'i', expiresAt: 0 } as StoredCredentials,
    asked: [] as string[],
    reply: (async () => next('1')) as (refreshToken: string) => Promise<Credentials>,
    ended: 0,
    now: 0,
    monotonicNow: 0,
  }
  let line: Promise<unknown> = Promise.resolve()
  const tab = () =>
    createRefresh({
      read: () => world.stored,
      store: ({ expiresIn, ...tokens }) => {
        world.stored = { ...tokens, expiresAt: world.now + expiresIn * 1000 }
      },
      request: (refreshToken) => {
        world.asked.push(refreshToken)
        return world.reply(refreshToken)
      },
      withTabLock: (run) => {
        const mine = line.then(run)
        line = mine.catch(() => undefined)
        return mine
      },
      now: () => world.now,
      monotonicNow: () => world.monotonicNow,
      random: () => 1,
      end: () => {
        world.ended += 1
        world.stored = {}
      },
      log: () => undefined,
    })
  return { world, tab }
}

describe('one refresh at a time', () => {
  test('two callers in a tab make one call', async () => {
    const { world, tab } = sharedTabs()
    const refresh = tab()
    expect(await Promise.all([refresh.refresh('due'), refresh.refresh('refused')])).toEqual(['renewed', 'renewed'])
    expect(world.asked).toEqual(['r-0'])
  })

  test('eight tabs that wake together make one call', async () => {
    const { world, tab } = sharedTabs()
    const tabs = Array.from({ length: 8 }, tab)
    await Promise.all(tabs.map((one) => one.refresh('due')))
    expect(world.asked).toEqual(['r-0'])
    expect(world.stored.accessToken).toBe('a-1')
  })
})

test('a tab that waited for the lock makes no call when another tab has refreshed meanwhile', async () => {
  const { world, tab } = sharedTabs()
  world.stored = { ...world.stored, accessToken: 'a-1', refreshToken: 'r-1' }
  const refreshed = tab().refresh('due')
  world.stored = { ...world.stored, expiresAt: 1_800_000 }
  expect(await refreshed).toBe('renewed')
  expect(world.asked).toEqual([])
})

describe('what ends a session', () => {
  test.each([400, 401, 403])('our own refusal with %i', async (status) => {
    const { world, tab } = sharedTabs()
    world.reply = () => Promise.reject(refused(status))
    expect(await tab().refresh('refused')).toBe('ended')
    expect([world.ended, world.asked.length, world.stored.refreshToken]).toEqual([1, 1, undefined])
  })

  test('a missing refresh token', async () => {
    const { world, tab } = sharedTabs()
    delete world.stored.refreshToken
    expect(await tab().refresh('refused')).toBe('ended')
    expect(world.asked).toEqual([])
  })

  test.each<[string, unknown]>([
    ['no network', new ApiError({ kind: 'FETCH_ERROR' })],
    ['a time-out', new ApiError({ kind: 'TIMEOUT_ERROR' })],
    ['a captive portal’s page with 200', new ApiError({ kind: 'PARSING_ERROR', status: 200 })],
    ['a captive portal’s page with 401', new ApiError({ kind: 'HTTP', status: 401, data: undefined })],
    [
      'a captive portal’s JSON with 401',
      new ApiError({ kind: 'HTTP', status: 401, data: { code: 'AUTH_REQUIRED', message: 'Pay first' } }),
    ],
    ['a proxy’s 403 of its own', new ApiError({ kind: 'HTTP', status: 403, data: { error: 'blocked' } })],
    ['500', new ApiError({ kind: 'HTTP', status: 500, data: { code: 'INTERNAL', message: '' } })],
    ['503', new ApiError({ kind: 'HTTP', status: 503, data: { code: 'UNAVAILABLE', message: '' } })],
    ['426', new ApiError({ kind: 'HTTP', status: 426, data: { code: 'UPDATE_REQUIRED', message: '' } })],
    ['429', new ApiError({ kind: 'HTTP', status: 429, data: { code: 'TOO_MANY_REQUESTS', message: '' } })],
    ['a bug', new TypeError('x is undefined')],
  ])('not %s: the session stays, and the next try works', async (_, error) => {
    const { world, tab } = sharedTabs()
    const refresh = tab()
    world.reply = () => Promise.reject(error)
    for (let times = 0; times < 10; times++) expect(await refresh.refresh('due')).toBe('unchanged')
    expect([world.ended, world.stored.refreshToken]).toEqual([0, 'r-0'])
    world.reply = async () => next('1')
    world.monotonicNow += 1000
    expect(await refresh.refresh('due')).toBe('renewed')
  })

  test.each([1, 3])('not an hour of failures, in which each tab retries less and less often (%i tabs)', async (count) => {
    const { world, tab } = sharedTabs()
    const tabs = Array.from({ length: count }, tab)
    world.reply = () => Promise.reject(new ApiError({ kind: 'FETCH_ERROR' }))
    // each asks ten times a second, whatever the reason
    for (; world.monotonicNow < 3_600_000; world.monotonicNow += 100) for (const one of tabs) await one.refresh('refused')
    expect(world.asked.length).toBeLessThanOrEqual(21 * count)
    expect(world.asked.length).toBeGreaterThan(10 * count)
    expect(world.ended).toBe(0)
    // the next try comes within five minutes
    world.reply = async () => next('1')
    world.monotonicNow += 300_000
    expect(await Promise.all(tabs.map((one) => one.refresh('refused')))).toEqual(tabs.map(() => 'renewed'))
  })

  test('an unstable server gets at most two refreshes a minute', async () => {
    const { world, tab } = sharedTabs()
    const refresh = tab()
    world.reply = () => Promise.reject(new ApiError({ kind: 'FETCH_ERROR' }))
    for (; world.monotonicNow < 3_600_000; world.monotonicNow += 1000) {
      refresh.noteReachable()
      await refresh.refresh('due')
    }
    expect(world.asked.length).toBeLessThanOrEqual(130)
    expect(world.asked.length).toBeGreaterThan(20)
  })

  test.each([
    ['a captive portal’s page with 200', { kind: 'PARSING_ERROR', status: 200 }],
    ['a captive portal’s page with 401', { kind: 'HTTP', status: 401, data: '<h1>Wi-Fi</h1>' }],
  ] as const)('behind %s the API counts as not reached: the refresh is tried at once when it can be', async (_, failure) => {
    const { world, tab } = sharedTabs()
    const refresh = tab()
    world.reply = () => Promise.reject(new ApiError(failure))
    for (; world.monotonicNow < 60_000; world.monotonicNow += 1000) await refresh.refresh('due')
    expect(refresh.isWaiting()).toBe(true)
    world.reply = async () => next('1')
    refresh.noteReachable()
    expect(await refresh.refresh('due')).toBe('renewed')
  })

  test('no refresh is tried before Retry-After has passed', async () => {
    const { world, tab } = sharedTabs()
    const refresh = tab()
    world.reply = () => Promise.reject(new ApiError({ kind: 'HTTP', status: 429, retryAfterSeconds: 1800 }))
    for (; world.monotonicNow < 1_800_000; world.monotonicNow += 60_000) {
      refresh.noteReachable()
      expect(await refresh.refresh('due')).toBe('unchanged')
    }
    expect(world.asked).toHaveLength(1)
    // and this device's part of the five minutes after it
    world.monotonicNow = 2_100_000
    expect(refresh.isWaiting()).toBe(false)
  })
})

describe('a stored token that changes during a refresh', () => {
  test('a refused token is not final when another tab has stored a newer one, which is tried', async () => {
    const { world, tab } = sharedTabs()
    world.reply = async (refreshToken) => {
      if (refreshToken !== 'r-0') return next('2')
      world.stored = { ...world.stored, refreshToken: 'r-1' }
      throw refused()
    }
    expect(await tab().refresh('due')).toBe('renewed')
    expect(world.asked).toEqual(['r-0', 'r-1'])
  })

  test.each<[string, StoredCredentials]>([
    ['nobody, who signed out', {}],
    ['the next person', { accessToken: 'a-ben', refreshToken: 'r-ben', idToken: 'i-ben', expiresAt: 1_800_000 }],
  ])('a reply that comes when the device is with %s, signs the former person in no more', async (_, stored) => {
    const { world, tab } = sharedTabs()
    world.reply = async () => {
      world.stored = stored
      return next('1')
    }
    await tab().refresh('due')
    expect([world.stored, world.ended]).toEqual([stored, 0])
  })

  test('three refusals in a row end the session', async () => {
    const { world, tab } = sharedTabs()
    world.reply = async () => {
      world.stored = { ...world.stored, refreshToken: `r-${world.asked.length}` }
      throw refused()
    }
    expect(await tab().refresh('due')).toBe('ended')
    expect(world.asked).toHaveLength(3)
  })

  test('after a lost reply the same refresh token is sent again', async () => {
    const { world, tab } = sharedTabs()
    const refresh = tab()
    world.reply = () => Promise.reject(new ApiError({ kind: 'FETCH_ERROR' }))
    await refresh.refresh('due')
    world.reply = async () => next('1')
    refresh.noteReachable()
    await refresh.refresh('due')
    expect(world.asked).toEqual(['r-0', 'r-0'])
  })
})

describe('a refresh is due', () => {
  const minute = 60_000

  test('10 minutes before expiry, at once when that has passed, never without a refresh token', () => {
    const { world, tab } = sharedTabs()
    const refresh = tab()
    world.stored = { ...world.stored, expiresAt: 30 * minute }
    expect(refresh.dueIn()).toBe(20 * minute)
    world.now = 25 * minute
    expect(refresh.dueIn()).toBe(0)
    delete world.stored.refreshToken
    expect(refresh.dueIn()).toBeUndefined()
  })

  test('never twice within 30 s, whatever the clock says', async () => {
    const { world, tab } = sharedTabs()
    const refresh = tab()
    await refresh.refresh('due')
    world.now = 1e13
    expect(refresh.dueIn()).toBe(30_000)
    expect(refresh.mayRenew()).toBe(false)
    world.monotonicNow = 30_000
    expect(refresh.dueIn()).toBe(0)
    expect(refresh.mayRenew()).toBe(true)
  })
})
