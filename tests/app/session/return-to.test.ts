import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeStorage } from '#tests/support/storage.ts'
import { rememberTarget, takeTarget } from '#app/session/return-to.ts'

/** Where a sign-in leads. LOGIN-16, SESSION-21 */

const SCREEN = '/assessment/i1/test?from=mail'

beforeEach(() => {
  vi.stubGlobal('localStorage', fakeStorage(new Map()))
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
