import { URLPattern } from 'node:url'
import { expect, test, vi } from 'vitest'
import { hostsOf, isCityListRead, isReferenceRead, type Hosts } from '../../sw/read-cache.ts'
import { addStaticRoutes, type StaticRoute } from '../../sw/static-routes.ts'

// Workbox looks for its global scope as it is imported.
vi.hoisted(() => vi.stubGlobal('self', Object.assign(globalThis, { registration: { scope: 'https://portal.test/' } })))

const own = 'https://portal.test'

/** Where the browser looks for an address: the first route that matches decides. */
async function sourcesWith(hosts: Hosts): Promise<(address: string) => StaticRoute['source'] | undefined> {
  const addRoutes = vi.fn<(routes: readonly StaticRoute[]) => Promise<void>>(async () => undefined)
  await addStaticRoutes({ addRoutes }, hosts)
  const routes = addRoutes.mock.calls[0]?.[0] ?? []
  return (address) => routes.find(({ condition }) => new URLPattern(condition.urlPattern, own).test(address, own))?.source
}

test('the app’s files come from their cache, calls from the network, and only what the worker caches from the worker', async () => {
  const sourceOf = await sourcesWith(hostsOf(own))
  expect(sourceOf('/assets/index-Bu-CQhKs.js')).toEqual({ cacheName: expect.stringContaining('precache') })
  expect(sourceOf('/api/health')).toBe('network')
  expect(sourceOf('/api/assessment/assessment-instance/1?sections=none')).toBe('network')
  expect(sourceOf('/media/content/touchline-profile-2.en.4e1afa7469.json')).toBe('network')
  // the worker has index.html for it
  for (const screen of ['/', '/profile', '/assessment/1/test', '/index.html']) expect(sourceOf(screen)).toBeUndefined()
  expect(sourceOf('https://elsewhere.test/assets/a.js')).toBeUndefined()
})

test.each([hostsOf(own), hostsOf(own, 'https://api.test/v1', 'https://media.test')])(
  'no read that the worker caches passes it by: %j',
  async (hosts) => {
    const sourceOf = await sourcesWith(hosts)
    const reads = ['reference-data/country', 'reference-data/sport/soccer/position', 'sports', 'sports/soccer'].map(
      (path) => `${hosts.api}/${path}`,
    )
    for (const address of [...reads, `${hosts.media}/cities/FR.json`]) {
      const [url, request] = [new URL(address), new Request(address)]
      expect(isReferenceRead(url, request, hosts) || isCityListRead(url, request, hosts), address).toBe(true)
      expect(sourceOf(address), address).toBe('fetch-event')
    }
  },
)

test('a browser without static routes, or that refuses these, installs the worker all the same', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  await addStaticRoutes({}, hostsOf(own))
  await addStaticRoutes({ addRoutes: () => Promise.reject(new TypeError('a rule')) }, hostsOf(own))
  expect(console.warn).toHaveBeenCalledTimes(1)
})
