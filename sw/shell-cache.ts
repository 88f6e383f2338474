/** Caches all of the app's own files before this worker may take over, and serves index.html for the URL of every screen. */
import { cacheNames } from 'workbox-core'
import type { PrecacheEntry } from 'workbox-precaching'
import { cleanupOutdatedCaches, PrecacheController, PrecacheRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { dropOlderFiles, isOlderFile, serveOlderFile } from './older-files.ts'
import { isSameForAll, sameForAll } from './same-for-all.ts'

declare const self: ServiceWorkerGlobalScope

/** Navigations that are not screens: the API, the media host's stand-in, the demo pages and the probes go to the network (OFFLINE-5). */
export const notScreens = /^\/(?:api|media|dev|livez|readyz)(?:[/?]|$)/

/** How each kind of file ends; for scripts and style sheets src/boot/build.ts says it. */
const ENDS: Record<string, RegExp> = {
  js: /\/\/whole\s*$/,
  css: /#whole\{\}\s*$/,
  // some proxies add a comment after the page
  html: /<\/html>\s*(?:<!--[^]*?-->\s*)*$/,
  svg: /<\/svg>\s*$/,
  png: /IEND.{4}$/s,
  webmanifest: /\}\s*$/,
}

/**
 * Whether a response is the app's own file: 200, with its end, HTML only if HTML is expected, index.html with the app's root, and not
 * redirected, except for index.html within its own host: some redirect it to `/`. False for a captive portal's page, for a host that sends
 * index.html in place of a missing chunk, and for a part that seems whole.
 */
export async function isWholeFile(url: string, response: Response): Promise<boolean> {
  const isHtml = response.headers.get('content-type')?.includes('text/html') ?? false
  const { origin, pathname } = new URL(url)
  const [kind = ''] = /\w+$/.exec(pathname) ?? []
  if (response.status !== 200 || isHtml !== (kind === 'html')) return false
  if (response.redirected && !(isHtml && new URL(response.url).origin === origin)) return false
  const text = await response.clone().text()
  return (ENDS[kind]?.test(text) ?? true) && (!isHtml || /\sid=["']?root\b/.test(text))
}

/** On a line that cuts one file of four, one in a thousand is never whole. */
const CUT_TRIES = 4

/** The app's own file, past the browser's cache if that has kept a part of it; undefined if there is none. */
async function wholeFile(url: string, response: Response): Promise<Response | undefined> {
  let latest = response
  for (let tries = 0; !(await isWholeFile(url, latest)); tries += 1) {
    if (tries === (latest.ok ? CUT_TRIES : 1)) return undefined
    latest = await fetch(url, { cache: 'reload', credentials: 'same-origin' })
  }
  return latest
}

/** The names of this build's files. */
let own: ReadonlySet<string> = new Set()

const precache = new PrecacheController({
  plugins: [
    {
      fetchDidSucceed: async ({ event, request, response }) => {
        if (event?.type !== 'install') return response
        const whole = await wholeFile(request.url, response)
        // while two builds are served, or a CDN still has the old page, the page may name the files of another build
        if (!whole || !(await isOfBuild(whole, own))) throw new Error(`Not this build's own file: ${request.url}`)
        return sameForAll(whole)
      },
      // a worker of an earlier build may have stored a part, another site's page, or what only it finds again
      cachedResponseWillBeUsed: async ({ event, request, cachedResponse }) => {
        if (event?.type !== 'install' || !cachedResponse) return cachedResponse
        if (!isSameForAll(cachedResponse) || !(await isWholeFile(request.url, cachedResponse))) return null
        return (await isOfBuild(cachedResponse, own)) ? cachedResponse : null
      },
    },
  ],
})

/** Under which this build's files are in the cache. */
export const ownKeys = () => new Set(precache.getURLsToCacheKeys().values())

/**
 * Caches `files` (the build's list) at install, and serves them from the cache. One wrong file makes the install fail, and the previous
 * worker continues with its own files. Those stay while pages are open that may need them (older-files.ts).
 */
export function precacheShell(files: PrecacheEntry[]): void {
  own = new Set(files.map(({ url }) => url))
  precache.addToCacheList(files)
  self.addEventListener('install', (event) => void precache.install(event))
  self.addEventListener('activate', (event) => event.waitUntil(dropOlderFiles(ownKeys())))
  cleanupOutdatedCaches()
  registerRoute(new PrecacheRoute(precache, { cleanURLs: false }))
  registerRoute(isOlderFile, serveOlderFile)
  registerRoute(new NavigationRoute(precache.createHandlerBoundToURL('/index.html'), { denylist: [notScreens] }))
}

/** How many of the app's files are in the cache, and how many there are in all. */
interface ShellCount {
  stored: number
  total: number
}

/** Files that are not in the cache, because the browser or the user cleared it. */
async function missingFiles(files: PrecacheEntry[]): Promise<PrecacheEntry[]> {
  const cache = await caches.open(cacheNames.precache)
  const stored = new Set((await cache.keys()).map(({ url }) => url))
  return files.filter(({ url }) => !stored.has(cacheKey(url)))
}

export async function countShell(files: PrecacheEntry[]): Promise<ShellCount> {
  return { stored: files.length - (await missingFiles(files)).length, total: files.length }
}

const CONCURRENCY = 4
let repairing: Promise<void> | undefined

/** Fetches the missing files; each run stops at the first that fails. A file of another build is not stored, so the caller counts again. */
export async function repairShell(files: PrecacheEntry[]): Promise<void> {
  repairing ??= fetchMissing(files).finally(() => {
    repairing = undefined
  })
  return repairing
}

async function fetchMissing(files: PrecacheEntry[]): Promise<void> {
  const queue = await missingFiles(files)
  const own = new Set(files.map(({ url }) => url))
  const cache = await caches.open(cacheNames.precache)
  async function fetchQueued(): Promise<void> {
    for (let file = queue.shift(); file; file = queue.shift()) {
      const response = await fetch(file.url, { cache: file.revision === null ? 'default' : 'reload', credentials: 'same-origin' })
      const url = new URL(file.url, self.location.href).href
      const whole = await wholeFile(url, response)
      if (whole && (await isOfBuild(whole, own))) await cache.put(cacheKey(file.url), sameForAll(whole))
    }
  }
  // a run that failed does not stop the others, and the caller counts after the last
  await Promise.allSettled(Array.from({ length: CONCURRENCY }, fetchQueued))
}

/** False for a page of a newer release, which names files that this cache does not have, and for any other app's, which names none of ours. */
export async function isOfBuild(response: Response, own: ReadonlySet<string>): Promise<boolean> {
  if (!response.headers.get('content-type')?.includes('text/html')) return true
  const named = [...(await response.clone().text()).matchAll(/\bassets\/[\w.-]+\.(?:js|css)\b/g)]
  return named.length > 0 && named.every(([file]) => own.has(file))
}

function cacheKey(url: string): string {
  return precache.getCacheKeyForURL(url) ?? url
}
