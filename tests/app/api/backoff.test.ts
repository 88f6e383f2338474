import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#app/api/api-error.ts'
import { retryDelay } from '#app/api/backoff.ts'
import { READ_WAITS, REFRESH_WAITS, SEND_WAITS } from '#app/constants.ts'
import { createCallSlots } from '#server/http/call-slots.ts'
import { Refused } from '#server/http/refusal.ts'
import { Random } from '#tests/chaos/scheduler.ts'

const unavailable = (retryAfterSeconds: number) => new ApiError({ kind: 'HTTP', status: 503, retryAfterSeconds })

describe('retryDelay', () => {
  test('doubles up to the longest wait, with jitter below it', () => {
    const between = [1, 2, 3, 9].map((failures) => [0, 1].map((random) => retryDelay(failures, undefined, READ_WAITS, () => random)))
    expect(between).toEqual([
      [500, 1000],
      [1000, 2000],
      [2000, 4000],
      [15_000, 30_000],
    ])
  })

  test.each([
    [1, 10, 10_000, 20_000],
    // told to wait for an hour: half a minute more, and not another hour
    [1, 3600, 3_600_000, 3_630_000],
    [3, 2, 2000, 10_000],
  ])('after failure %i is never before a Retry-After of %i s, and spread above it', (failures, seconds, least, most) => {
    expect([0, 1].map((random) => retryDelay(failures, unavailable(seconds), READ_WAITS, () => random))).toEqual([least, most])
  })

  test('a thousand devices with the same Retry-After retry in different seconds', () => {
    const random = new Random(1)
    const seconds = Array.from({ length: 1000 }, () => Math.floor(retryDelay(1, unavailable(10), READ_WAITS, () => random.next()) / 1000))
    const counts = seconds.map((second) => seconds.filter((other) => other === second).length)
    expect(Math.max(...counts)).toBeLessThan(150)
  })
})

describe('a thousand phones that come back at the same moment', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Five calls at once, each of which takes a tenth of a second: fifty a second. */
  const CAPACITY = 50

  /** The server's own slots, before a server that does nothing but take its time. */
  function server() {
    const second = () => Math.floor(performance.now() / 1000)
    const callSlots = createCallSlots(() => undefined, { count: 5 })
    const arrivals = new Map<number, number>()
    const call = async (): Promise<ApiError | undefined> => {
      arrivals.set(second(), (arrivals.get(second()) ?? 0) + 1)
      try {
        await callSlots.run('answers', () => new Promise<void>((resolve) => setTimeout(resolve, 100)))
        return undefined
      } catch (error) {
        if (error instanceof Refused) return unavailable(error.detail.retryAfter ?? 0)
        throw error
      }
    }
    return { call, arrivals }
  }

  test('OFFLINE-10: have all renewed their session and sent their answers within two minutes, without another rush', async () => {
    const random = new Random(7)
    const { call, arrivals } = server()
    const start = performance.now()
    const times: number[] = []
    const again = async (waits: typeof SEND_WAITS) => {
      for (let failures = 1; ; failures += 1) {
        const error = await call()
        if (!error) return
        const wait = retryDelay(failures, error, waits, () => random.next())
        await new Promise((resolve) => setTimeout(resolve, wait))
      }
    }
    for (let count = 0; count < 1000; count += 1) {
      void again(REFRESH_WAITS)
        .then(() => again(SEND_WAITS))
        .then(() => times.push(performance.now() - start))
    }
    await vi.advanceTimersByTimeAsync(120_000)
    const later = [...arrivals.entries()].filter(([second]) => second > Math.floor(start / 1000)).map(([, count]) => count)
    expect(times).toHaveLength(1000)
    // the first rush is a thousand in one second
    expect(Math.max(...later)).toBeLessThan(CAPACITY * 6)
  })
})
