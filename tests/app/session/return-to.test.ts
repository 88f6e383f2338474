import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeStorage } from '#tests/support/storage.ts'
import { rememberTarget, takeTarget, takeTargetOfTab } from '#app/session/return-to.ts'

/** Where a sign-in leads. LOGIN-16, SESSION-21 */

const SCREEN = '/assessment/i1/test?from=mail'

beforeEach(() => {
  vi.stubGlobal('localStorage', fakeStorage(new Map()))
  vi.stubGlobal('sessionStorage', fakeStorage())
  vi.stubGlobal('location', { origin: 'https://touchline.example' })
  vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test.each([
  ['whoever had it open comes back to a screen', 'ana', SCREEN],
  ['a link that a guest opened leads whoever signs in', undefined, SCREEN],
  ['nobody is led to a screen of another person', 'ben', '/'],
])('%s, and only once', (_, owner, target) => {
  rememberTarget(SCREEN, owner)
  expect(takeTarget('ana')).toBe(target)
  expect(takeTarget('ana')).toBe('/')
})

describe('where a session has ended in two tabs', () => {
  beforeEach(() => {
    rememberTarget(SCREEN, 'ana')
    // in the other tab
    const { sessionStorage } = globalThis
    vi.stubGlobal('sessionStorage', fakeStorage())
    rememberTarget('/profile', 'ana')
    vi.stubGlobal('sessionStorage', sessionStorage)
  })

  test('each leads to its own screen, once', () => {
    expect([takeTarget('ana'), takeTarget('ana')]).toEqual([SCREEN, '/'])
  })

  test('also if the sign-in was in another one, but nobody else', () => {
    expect([takeTargetOfTab('ana'), takeTargetOfTab('ana')]).toEqual([SCREEN, undefined])
    rememberTarget(SCREEN, 'ana')
    expect([takeTargetOfTab('ben'), takeTarget('ben')]).toEqual([undefined, '/'])
  })

  test('a link that a guest has opened here since comes first', () => {
    rememberTarget('/assessment/i2/brief')
    expect(takeTarget('ana')).toBe('/assessment/i2/brief')
  })

  test('a link that a guest has opened in another tab is opened there, and each other tab keeps its own screen', () => {
    const { sessionStorage } = globalThis
    const ofLink = fakeStorage()
    vi.stubGlobal('sessionStorage', ofLink)
    rememberTarget('/assessment/i2/brief')
    vi.stubGlobal('sessionStorage', sessionStorage)
    expect(takeTarget('ana')).toBe(SCREEN)
    vi.stubGlobal('sessionStorage', ofLink)
    expect(takeTargetOfTab('ana')).toBe('/assessment/i2/brief')
  })

  test('a tab that has none opens the link, whose tab the browser has closed, also if a suspended tab hears of the end later', () => {
    vi.stubGlobal('sessionStorage', fakeStorage())
    rememberTarget('/assessment/i2/brief')
    vi.stubGlobal('sessionStorage', fakeStorage())
    rememberTarget('/device', 'ana')
    vi.stubGlobal('sessionStorage', fakeStorage())
    expect(takeTarget('ana')).toBe('/assessment/i2/brief')
  })

  test('the dashboard is a screen, too', () => {
    rememberTarget('/', 'ana')
    expect(takeTarget('ana')).toBe('/')
  })
})
