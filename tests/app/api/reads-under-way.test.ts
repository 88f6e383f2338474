import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '#app/api/query-client.ts'
import { invalidateTags } from '#app/api/query-port.ts'
import { readAhead, readKey } from '#app/api/use-call.ts'
import { queriesRestored } from '#app/api/reads-provider.tsx'
import { reference } from '#contract/reference.ts'
import { HEALTH_REPLY } from '#contract/rules/health-reply.ts'
import type { Tag } from '#contract/endpoint.ts'

/** A read that was sent before a write may be replied to with what was there before it, after the write. */

const endpoint = reference.countries
const tag = endpoint.tag as Tag
const key = readKey(endpoint, undefined, 'en', undefined)

/** The server's replies, in the order of the requests; each is sent when the test says so. */
let requests: { reply: (country: string) => void; signal: AbortSignal | null | undefined }[] = []

beforeEach(async () => {
  await queriesRestored()
  requests = []
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (url.endsWith('/health')) return Response.json(HEALTH_REPLY)
    return new Promise<Response>((resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
      requests.push({
        reply: (countryName) => resolve(Response.json({ countries: [{ countryName, cityFile: '-' }] })),
        signal: init?.signal,
      })
    })
  })
})
afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

const queryOfRead = () => queryClient.getQueryCache().find({ queryKey: key })
const shown = () => queryClient.getQueryData<{ countries: { countryName: string }[] }>(key)?.countries[0]?.countryName
const sent = (count: number) => expect.poll(() => requests.length).toBe(count)

/** As the read of a screen. */
function observe(): () => void {
  void readAhead(endpoint)
  return new QueryObserver(queryClient, { ...queryOfRead()?.options, queryKey: key }).subscribe(() => undefined)
}

for (const [who, start] of [
  ['of a screen', observe],
  ['ahead of its screen', () => (void readAhead(endpoint), () => undefined)],
] as const) {
  test(`a first read ${who} is sent again after a write, and its old reply is not shown`, async () => {
    const stop = start()
    await sent(1)
    invalidateTags([tag])
    await sent(2)
    requests[0]?.reply('OLD')
    requests[1]?.reply('NEW')
    await expect.poll(shown).toBe('NEW')
    expect(requests[0]?.signal?.aborted).toBe(true)
    expect(requests).toHaveLength(2)
    expect(queryClient.getQueryState(key)?.isInvalidated).toBe(false)
    stop()
  })

  test(`so is a later read ${who}`, async () => {
    const stop = start()
    await sent(1)
    requests[0]?.reply('FIRST')
    await expect.poll(shown).toBe('FIRST')
    const again = queryOfRead()?.fetch()
    await sent(2)
    invalidateTags([tag])
    await sent(3)
    requests[1]?.reply('OLD')
    requests[2]?.reply('NEW')
    await again
    await expect.poll(shown).toBe('NEW')
    expect(requests).toHaveLength(3)
    stop()
  })
}

test('who waits for a read ahead waits for the one that is sent again', async () => {
  let isThere = false
  const reading = readAhead(endpoint).then(() => {
    isThere = true
  })
  await sent(1)
  invalidateTags([tag])
  await sent(2)
  expect(isThere).toBe(false)
  requests[1]?.reply('NEW')
  await reading
  expect(shown()).toBe('NEW')
})

test('a read that fails when it is sent again is read at its next use', async () => {
  void readAhead(endpoint)
  await sent(1)
  requests[0]?.reply('FIRST')
  await expect.poll(shown).toBe('FIRST')
  const query = queryOfRead()
  const again = query?.fetch().catch(() => undefined)
  await sent(2)
  vi.stubGlobal('fetch', async () => Response.json({ code: 'NOT_FOUND', message: '-', requestId: '-' }, { status: 404 }))
  invalidateTags([tag])
  await again
  await expect.poll(() => query?.state.fetchStatus).toBe('idle')
  expect([shown(), query?.isStale()]).toEqual(['FIRST', true])
})
