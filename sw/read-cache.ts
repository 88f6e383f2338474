/** Caches public lookups and city lists: served from the device at once, and updated in the background (OFFLINE-5). */
import type { RouteMatchCallbackOptions, WorkboxPlugin } from 'workbox-core'
import { ExpirationPlugin } from 'workbox-expiration'
import { registerRoute } from 'workbox-routing'
import { StaleWhileRevalidate } from 'workbox-strategies'
import { sameForAll } from './same-for-all.ts'

/** Base URLs of the API and the media host: absolute, without a trailing slash. */
export interface Hosts {
  api: string
  media: string
}

const referencePath = /^\/(?:reference-data(?:\/[\w-]+)+|sports(?:\/[\w-]+)?)$/
const cityListPath = /^\/cities\/[A-Z]{2}\.json$/

/** The hosts as configured at build time (`VITE_API_URL`, `VITE_MEDIA_URL`), by default `/api` and `/media` of `ownOrigin`. */
export function hostsOf(ownOrigin: string, apiUrl?: string, mediaUrl?: string): Hosts {
  const absolute = (given: string) => new URL(given, ownOrigin).href.replace(/\/+$/, '')
  return { api: absolute(apiUrl || '/api'), media: absolute(mediaUrl || '/media') }
}

function pathUnder(host: string, url: URL): string | undefined {
  const address = url.origin + url.pathname
  return address.startsWith(`${host}/`) ? address.slice(host.length) : undefined
}

/** A read that anyone may make and whose reply can be inspected: no credentials, no query, no navigation. */
function isPublicRead(url: URL, request: Request): boolean {
  return (
    request.method === 'GET' &&
    (request.mode === 'cors' || request.mode === 'same-origin') &&
    request.credentials !== 'include' &&
    !request.headers.has('authorization') &&
    !request.headers.has('range') &&
    url.search === ''
  )
}

/** Whether a request asks for a country's city list. */
export function isCityListRead(url: URL, request: Request, hosts: Hosts): boolean {
  return isPublicRead(url, request) && cityListPath.test(pathUnder(hosts.media, url) ?? '')
}

/** Whether a request asks for public reference data. */
export function isReferenceRead(url: URL, request: Request, hosts: Hosts): boolean {
  return isPublicRead(url, request) && referencePath.test(pathUnder(hosts.api, url) ?? '')
}

async function readJson(response: Response): Promise<unknown> {
  const isReadable = response.type === 'basic' || response.type === 'cors'
  const isJson = /^application\/json\s*(?:;|$)/i.test(response.headers.get('content-type') ?? '')
  if (response.status !== 200 || response.redirected || !isReadable || !isJson) return undefined
  return response
    .clone()
    .json()
    .catch(() => undefined)
}

/** Whether a reply is complete reference data from the requested host, not a captive portal's page or JSON, or a truncated body. */
export async function isWholeReference(response: Response): Promise<boolean> {
  const body = await readJson(response)
  if (typeof body !== 'object' || body === null) return false
  // lists, or one sport
  return Object.values(body).some(Array.isArray) || ('id' in body && 'name' in body)
}

/** The same, and the object has a `cities` array of names (PROFILE-29). */
export async function isWholeCityList(response: Response): Promise<boolean> {
  const body = await readJson(response)
  if (typeof body !== 'object' || body === null || !('cities' in body)) return false
  return Array.isArray(body.cities) && body.cities.every((city) => typeof city === 'string')
}

function cacheIf(isWhole: (response: Response) => Promise<boolean>): WorkboxPlugin {
  return { cacheWillUpdate: async ({ response }) => ((await isWhole(response)) ? sameForAll(response) : null) }
}

/** Removes the least recently used entries beyond `maxEntries`; if storage runs out, all of them, to make room for answers. */
function expireBeyond(maxEntries: number): ExpirationPlugin {
  return new ExpirationPlugin({ maxEntries, purgeOnQuotaError: true })
}

/** Serves reference data and the city lists of the 8 countries used last. The worker handles no other read. */
export function cacheReads(hosts: Hosts): void {
  registerRoute(
    ({ url, request }: RouteMatchCallbackOptions) => isReferenceRead(url, request, hosts),
    new StaleWhileRevalidate({ cacheName: 'touchline-reference', plugins: [cacheIf(isWholeReference), expireBeyond(40)] }),
  )
  registerRoute(
    ({ url, request }: RouteMatchCallbackOptions) => isCityListRead(url, request, hosts),
    new StaleWhileRevalidate({ cacheName: 'touchline-cities', plugins: [cacheIf(isWholeCityList), expireBeyond(8)] }),
  )
}
