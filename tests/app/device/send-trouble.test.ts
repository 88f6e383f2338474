import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#app/api/api-error.ts'
import { sendTrouble } from '#app/device/sending/send-trouble.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-24T18:00:20Z') })
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined })
})
afterEach(() => {
  sendTrouble.noteReply()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const refused = (status: number, code: string, retryAfterSeconds?: number) =>
  new ApiError({
    kind: 'HTTP',
    status,
    data: { code, message: '-', requestId: '-' },
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })

test('DEVICE-2: the time of the next retry is known if the server said how long to wait, and the retry is sent by then', () => {
  sendTrouble.noteFailure(refused(503, 'OVERLOADED', 5))
  expect([sendTrouble.cause(), sendTrouble.maySend(), sendTrouble.mayRetry()]).toEqual(['crowded', false, false])
  const by = sendTrouble.retryBy() ?? 0
  // a whole minute, in time for the wait (5 to 25 s) and the next of the tries, which come every 30 s
  expect(by % 60_000).toBe(0)
  expect(by).toBeGreaterThan(Date.now() + 5000)
  expect(by).toBeLessThanOrEqual(Date.parse('2026-11-24T18:02:00Z'))
  vi.advanceTimersByTime(5000)
  expect(sendTrouble.maySend()).toBe(true)
  vi.advanceTimersByTime(by - 30_000 - Date.now())
  expect(sendTrouble.mayRetry()).toBe(true)
})

test('without a Retry-After, and after a success, there is no such time', () => {
  sendTrouble.noteFailure(refused(503, 'UNAVAILABLE'))
  expect([sendTrouble.cause(), sendTrouble.retryBy()]).toEqual(['server', undefined])
  sendTrouble.noteFailure(refused(429, 'TOO_MANY_REQUESTS', 600))
  expect([sendTrouble.cause(), sendTrouble.retryBy()]).toEqual(['busy', expect.any(Number)])
  sendTrouble.noteReply()
  expect([sendTrouble.cause(), sendTrouble.retryBy()]).toEqual([undefined, undefined])
})

test('each new time is emitted to screens', () => {
  const heard = vi.fn()
  const stop = sendTrouble.subscribe(heard)
  sendTrouble.noteFailure(refused(503, 'OVERLOADED', 5))
  const first = sendTrouble.retryBy()
  vi.advanceTimersByTime(120_000)
  heard.mockClear()
  sendTrouble.noteFailure(refused(503, 'OVERLOADED', 5))
  expect(heard).toHaveBeenCalled()
  expect(sendTrouble.retryBy()).toBeGreaterThan(first ?? 0)
  stop()
})

test('a clock that is set back leaves the trouble on screen, with the time at which it began by the new clock', () => {
  sendTrouble.noteFailure(refused(503, 'UNAVAILABLE'))
  vi.advanceTimersByTime(180_000)
  sendTrouble.noteFailure(refused(503, 'UNAVAILABLE'))
  expect(sendTrouble.since()).toBe(Date.parse('2026-11-24T18:00:20Z'))
  const heard = vi.fn<() => void>()
  const stop = sendTrouble.subscribe(heard)
  vi.setSystemTime(new Date('2026-11-24T16:03:20Z'))
  sendTrouble.noteFailure(refused(503, 'UNAVAILABLE'))
  expect([sendTrouble.since(), heard.mock.calls.length]).toEqual([Date.parse('2026-11-24T16:00:20Z'), 1])
  stop()
})
