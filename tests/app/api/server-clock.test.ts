import { beforeEach, expect, it, vi } from 'vitest'
import { fakeStorage } from '#tests/support/storage.ts'

/** What a device knows of the server's clock before the first reply: from the last visit. */

const TRUTH = Date.parse('2026-11-30T12:00:00Z')
const HOUR_MS = 3_600_000
const YEAR_MS = 365 * 24 * HOUR_MS

beforeEach(() => {
  vi.stubGlobal('localStorage', fakeStorage())
  return () => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})

/** A visit on a device whose clock is wrong by so much, so long after the first. */
async function visit(wrongBy: number, after = 0) {
  vi.resetModules()
  vi.useFakeTimers({ now: TRUTH + after + wrongBy })
  return import('#app/api/server-clock.ts')
}

async function contact(wrongBy: number) {
  const { noteServerDate } = await visit(wrongBy)
  noteServerDate(new Date(TRUTH).toUTCString())
}

it.each([
  ['two hours behind', -2 * HOUR_MS],
  ['two hours ahead', 2 * HOUR_MS],
  ['ten years behind', -10 * YEAR_MS],
  ['ten years ahead', 10 * YEAR_MS],
])('a clock that is %s, and stays so, gives the server’s time', async (_, wrongBy) => {
  await contact(wrongBy)
  const { serverNow } = await visit(wrongBy, HOUR_MS)
  expect(serverNow()).toBe(TRUTH + HOUR_MS)
})

it.each([
  ['two hours ahead', 2 * HOUR_MS],
  ['ten years ahead', 10 * YEAR_MS],
  ['ten years behind', -10 * YEAR_MS],
])('a clock that was %s, and is set right meanwhile, is taken as it is', async (_, wrongBy) => {
  await contact(wrongBy)
  const { serverNow } = await visit(0, HOUR_MS)
  expect(serverNow()).toBe(TRUTH + HOUR_MS)
})

it('a device that had no reply yet takes its own clock', async () => {
  const { serverNow } = await visit(HOUR_MS)
  expect(serverNow()).toBe(TRUTH + HOUR_MS)
})
