/** The app's own files: all of them kept before this worker may take over, and index.html for every screen's URL. */
import { cacheNames } from 'workbox-core'
import type { PrecacheEntry } from 'workbox-precaching'
import { addPlugins, cleanupOutdatedCaches, createHandlerBoundToURL, getCacheKeyForURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

/** Navigations that are not screens: the API, the media host's stand-in and the demo pages answer themselves (OFFLINE-5). */
export const notScreens = /^\/(?:api|media|dev)(?:[/?]|$)/

/**
 * Whether a fetched app file is what the build made: 200, not redirected, HTML exactly where HTML is due,
 * and index.html with the app's root in it. A captive portal's page, or a host that answers a missing
 * chunk with index.html, fails here.
 */
export async function isWholeFile(url: string, response: Response): Promise<boolean> {
  if (response.status !== 200 || response.redirected) return false
  const isHtml = response.headers.get('content-type')?.includes('text/html') ?? false
  if (!new URL(url).pathname.endsWith('.html')) return !isHtml
  return isHtml && /\sid=["']?root\b/.test(await response.clone().text())
}

/**
 * Keeps `files` (the build's list) at install and answers from them. One bad file fails the install,
 * and the worker before this one stays with its own files.
 */
export function keepShell(files: PrecacheEntry[]): void {
  addPlugins([
    {
      fetchDidSucceed: async ({ event, request, response }) => {
        if (event?.type === 'install' && !(await isWholeFile(request.url, response))) {
          throw new Error(`Not the app's own file: ${request.url}`)
        }
        return response
      },
    },
  ])
  cleanupOutdatedCaches()
  precacheAndRoute(files, { cleanURLs: false })
  registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: [notScreens] }))
}

/** How many of the app's files are in the cache, of how many. */
export interface ShellCount {
  stored: number
  total: number
}

/** Files of the list that are not in the cache: browsers and people empty it. */
async function missingFiles(files: PrecacheEntry[]): Promise<PrecacheEntry[]> {
  const cache = await caches.open(cacheNames.precache)
  const stored = new Set((await cache.keys()).map(({ url }) => url))
  return files.filter(({ url }) => !stored.has(cacheKey(url)))
}

export async function countShell(files: PrecacheEntry[]): Promise<ShellCount> {
  return { stored: files.length - (await missingFiles(files)).length, total: files.length }
}

const REPAIRS_AT_ONCE = 4
let repairing: Promise<void> | undefined

/** Fetches what is missing, until each lane has met a file that cannot be had. One that is not of this build is left out: the caller counts again. */
export async function repairShell(files: PrecacheEntry[]): Promise<void> {
  repairing ??= fetchMissing(files).finally(() => {
    repairing = undefined
  })
  return repairing
}

async function fetchMissing(files: PrecacheEntry[]): Promise<void> {
  const waiting = await missingFiles(files)
  const own = new Set(files.map(({ url }) => url))
  const cache = await caches.open(cacheNames.precache)
  async function lane(): Promise<void> {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const response = await fetch(file.url, { cache: file.revision === null ? 'default' : 'reload', credentials: 'same-origin' })
      const url = new URL(file.url, self.location.href).href
      if ((await isWholeFile(url, response)) && (await isOfBuild(response, own))) await cache.put(cacheKey(file.url), response)
    }
  }
  // a lane that ended early ends no other, and the count comes after the last
  await Promise.allSettled(Array.from({ length: REPAIRS_AT_ONCE }, lane))
}

/** A page that names files of another build came with a newer release: in this shell it would look for what is not there. */
export async function isOfBuild(response: Response, own: ReadonlySet<string>): Promise<boolean> {
  if (!response.headers.get('content-type')?.includes('text/html')) return true
  const named = (await response.clone().text()).matchAll(/\bassets\/[\w.-]+\.(?:js|css)\b/g)
  return [...named].every(([file]) => own.has(file))
}

function cacheKey(url: string): string {
  return getCacheKeyForURL(url) ?? url
}
