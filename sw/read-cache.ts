/** Public lookups and city lists, shown from the device at once and renewed behind (OFFLINE-5). */
import type { RouteMatchCallbackOptions, WorkboxPlugin } from 'workbox-core'
import { ExpirationPlugin } from 'workbox-expiration'
import { registerRoute } from 'workbox-routing'
import { StaleWhileRevalidate } from 'workbox-strategies'

/** Where the API and the media host answer: absolute, without a slash at the end. */
export interface Hosts {
  api: string
  media: string
}

const referencePath = /^\/(?:reference-data(?:\/[\w-]+)+|sports(?:\/[\w-]+)?)$/
const cityListPath = /^\/cities\/[A-Z]{2}\.json$/

/** The two hosts as configured at build (`VITE_API_URL`, `VITE_MEDIA_URL`), by default `/api` and `/media` of `ownOrigin`. */
export function hostsOf(ownOrigin: string, apiUrl?: string, mediaUrl?: string): Hosts {
  const absolute = (given: string) => new URL(given, ownOrigin).href.replace(/\/+$/, '')
  return { api: absolute(apiUrl || '/api'), media: absolute(mediaUrl || '/media') }
}

function pathUnder(host: string, url: URL): string | undefined {
  const address = url.origin + url.pathname
  return address.startsWith(`${host}/`) ? address.slice(host.length) : undefined
}

/** A read that anyone may make, answered with a readable reply: no credentials, no query, no navigation. */
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

/** The allow-list: everything else passes the worker untouched. */
export function isCacheableRead(url: URL, request: Request, hosts: Hosts): boolean {
  return isReferenceRead(url, request, hosts) || isCityListRead(url, request, hosts)
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

/** Whether a reply is reference data, whole, from the host asked: no captive portal's page or JSON, no cut-off body. */
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

function storing(isWhole: (response: Response) => Promise<boolean>): WorkboxPlugin {
  return { cacheWillUpdate: async ({ response }) => ((await isWhole(response)) ? response : null) }
}

/** The least recently used go first; all of them go before the browser refuses room for answers. */
function keepLast(maxEntries: number): ExpirationPlugin {
  return new ExpirationPlugin({ maxEntries, purgeOnQuotaError: true })
}

/** Answers the allow-listed reads. City lists of the last 8 countries stay. */
export function keepReads(hosts: Hosts): void {
  registerRoute(
    ({ url, request }: RouteMatchCallbackOptions) => isReferenceRead(url, request, hosts),
    new StaleWhileRevalidate({ cacheName: 'touchline-reference', plugins: [storing(isWholeReference), keepLast(40)] }),
  )
  registerRoute(
    ({ url, request }: RouteMatchCallbackOptions) => isCityListRead(url, request, hosts),
    new StaleWhileRevalidate({ cacheName: 'touchline-cities', plugins: [storing(isWholeCityList), keepLast(8)] }),
  )
}
