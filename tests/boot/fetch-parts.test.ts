import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { LAST_LINE } from '../../src/boot/build.ts'
import { fetchParts } from '../../src/boot/fetch-parts.ts'

/** What a round asks for of a part that did not arrive: a hundred phones must not double the load of a server in trouble. INSTALL-3 */

/** A reply; without one the connection breaks, or stays silent. */
type Reply = 'breaks' | 'silent' | { status: number; type?: string; text?: string }

const whole: Reply = { status: 200, type: 'text/javascript', text: `1${LAST_LINE}` }
const portal: Reply = { status: 200, type: 'text/html', text: '<h1>Wi-Fi</h1>' }

/** Replies in this order, and then with the last one. @returns how each request used the browser's cache */
function serve(...replies: [Reply, ...Reply[]]): (RequestCache | undefined)[] {
  const asked: (RequestCache | undefined)[] = []
  const next = (): Reply => (replies.length > 1 ? replies.shift() : undefined) ?? replies[0]
  vi.stubGlobal('fetch', async (_: string, { cache, signal }: RequestInit) => {
    asked.push(cache)
    const reply = next()
    if (reply === 'breaks') throw new TypeError('Failed to fetch')
    if (reply === 'silent') return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))))
    const { status, type = 'application/json', text = '{}' } = reply
    return new Response(text, { status, headers: { 'content-type': type } })
  })
  return asked
}

beforeEach(() => {
  vi.stubGlobal('document', { querySelectorAll: () => [] })
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ name: 'https://club.test/assets/part.js' } as PerformanceEntry])
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const once: [string, Reply, object][] = [
  ['the server fails', { status: 500 }, {}],
  ['the server is away, in a proxy’s words', { status: 503, type: 'text/html' }, {}],
  ['the server asks to wait', { status: 429 }, {}],
  ['the connection breaks', 'breaks', {}],
  ['the connection breaks for a part that never came', 'breaks', { isStuck: true }],
]

test.each(once)('where %s, a part is asked for once', async (_, reply, options) => {
  const asked = serve(reply)
  expect(await fetchParts(options)).toBe('missing')
  expect(asked).toEqual(['default'])
})

test.each<[string, Reply]>([
  ['a page of somebody else’s', portal],
  ['a note that it is gone', { status: 404 }],
  ['a script that was cut', { status: 200, type: 'text/javascript', text: '1' }],
])('%s is fetched again past the browser’s cache', async (_, reply) => {
  const asked = serve(reply, whole)
  expect(await fetchParts()).toBe('here')
  expect(asked).toEqual(['default', 'reload'])
})

test('a part that never came is fetched past a request that the browser’s cache waits for', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const asked = serve('silent', whole)
  const outcome = fetchParts({ isStuck: true })
  await vi.runAllTimersAsync()
  expect(await outcome).toBe('here')
  expect(asked).toEqual(['default', 'reload'])
})
