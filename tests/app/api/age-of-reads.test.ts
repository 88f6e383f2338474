import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '#app/api/query-client.ts'
import { readAhead, readKey } from '#app/api/use-call.ts'
import { reference } from '#contract/reference.ts'
import { HEALTH_REPLY } from '#contract/rules/health-reply.ts'

/** The server may have changed between a request and the arrival of its reply: a read shows it as of the request. */

const MINUTE = 60_000
const ASKED = Date.parse('2026-11-29T10:00:00Z')
const key = readKey(reference.countries, undefined, 'en', undefined)

const reply = () => Response.json({ countries: [] }, { headers: { 'content-type': 'application/json' } })
const ageOf = () => queryClient.getQueryState(key)?.dataUpdatedAt

beforeEach(() => {
  vi.useFakeTimers({ now: ASKED, toFake: ['Date', 'setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  queryClient.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a reply that took a minute is a minute old when it arrives', async () => {
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/health')) return Response.json(HEALTH_REPLY)
    vi.setSystemTime(ASKED + MINUTE)
    return reply()
  })
  await readAhead(reference.countries)
  expect(ageOf()).toBe(ASKED)
})

test('it is as old as the try that was replied to', async () => {
  let tries = 0
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/health')) return Response.json(HEALTH_REPLY)
    tries += 1
    vi.setSystemTime(Date.now() + MINUTE)
    if (tries === 1) throw new TypeError('cut')
    return reply()
  })
  const reading = readAhead(reference.countries)
  await vi.advanceTimersByTimeAsync(30_000)
  await reading
  expect(ageOf()).toBeGreaterThanOrEqual(ASKED + MINUTE)
  expect(ageOf()).toBeLessThan(ASKED + 2 * MINUTE)
})

test('what the script in the page requested is as old as that request', async () => {
  const url = '/api/reference-data/country'
  vi.stubGlobal('earlyStart', {
    replies: { [url]: { language: 'en', authorization: undefined, askedAt: ASKED - MINUTE, reply: Promise.resolve(reply()) } },
  })
  await readAhead(reference.countries)
  expect(ageOf()).toBe(ASKED - MINUTE)
})
