import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeStorage } from '#tests/support/storage.ts'
import { noteServerDate } from '#app/api/server-clock.ts'
import { readUnexpired, storeForADay } from '#app/session/expiring-storage.ts'

/** What survives the app being killed during a sign-in, while the device's clock is set. LOGIN-16, SESSION-15 */

const HOUR_MS = 3_600_000
const START = Date.parse('2026-03-29T00:30:00Z')
let values: Map<string, string>

beforeEach(() => {
  values = new Map()
  vi.useFakeTimers({ now: START, toFake: ['Date'] })
  vi.stubGlobal('localStorage', fakeStorage(values))
  vi.spyOn(console, 'warn').mockReturnValue()
  void storeForADay('authSession', 's')
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const readAt = (hours: number) => {
  vi.setSystemTime(START + hours * HOUR_MS)
  return readUnexpired('authSession')
}

test.each([0, -0.0001, -2, 2, 23.9])('the sign-in is still there when the clock has moved by %s h', (hours) => {
  expect(readAt(hours)).toBe('s')
})

test.each([24, 48, -4, -24 * 365])('it is gone when the clock has moved by %s h', (hours) => {
  expect(readAt(hours)).toBeUndefined()
  expect(values.has('authSession')).toBe(false)
})

test('a clock that was set back does not make it last longer than a day from then', () => {
  expect(readAt(-2)).toBe('s')
  expect(readAt(21.9)).toBe('s')
  expect(readAt(22)).toBeUndefined()
})

test.each([5, 48, -48])('a clock that was %s h ahead, and is set right, loses nothing', (ahead) => {
  const device = (hours: number) => vi.setSystemTime(START + hours * HOUR_MS)
  device(ahead)
  noteServerDate(new Date(START).toUTCString())
  void storeForADay('authSession', 's')
  // of this page, which has not heard of it
  device(0.5)
  readUnexpired('authSession')
  device(1)
  // of the page that is opened then
  noteServerDate(new Date(START + HOUR_MS).toUTCString())
  expect(readUnexpired('authSession')).toBe('s')
  // by the clock that says more
  const hours = 24 + Math.max(0, ahead)
  device(hours)
  noteServerDate(new Date(START + hours * HOUR_MS).toUTCString())
  expect(readUnexpired('authSession')).toBeUndefined()
})

test('what is over is removed also where the clock stays wrong, as the last visit knew', async () => {
  values.set('lastContact', `${START} ${START + 2 * HOUR_MS}`)
  vi.setSystemTime(START + 30 * HOUR_MS)
  vi.resetModules()
  const nextPage = await import('#app/session/expiring-storage.ts')
  expect(nextPage.readUnexpired('authSession')).toBeUndefined()
  expect(values.has('authSession')).toBe(false)
})
