/**
 * Files of earlier builds, kept for the pages that were open when this worker took over: another tab may have asked for the update, and
 * they still load their own scripts, also without a connection.
 */
import { cacheNames, type RouteHandlerCallback, type RouteMatchCallback } from 'workbox-core'

declare const self: ServiceWorkerGlobalScope

/** The cache with the ids of those pages, for when the worker has been stopped meanwhile. */
const OLDER_PAGES = 'pages-of-older-builds'
const IDS = '/ids'

/** Its name tells its content, so that it is the same in every build that has it; index.html is not. */
const isNamedByContent = ({ pathname }: URL) => pathname.startsWith('/assets/')

/** For a browser without static routes: they look into the same cache. */
export const isOlderFile: RouteMatchCallback = ({ sameOrigin, url }) => sameOrigin && isNamedByContent(url)

export const serveOlderFile: RouteHandlerCallback = async ({ request }) =>
  (await caches.match(request, { cacheName: cacheNames.precache })) ?? fetch(request)

const openPages = async () => (await self.clients.matchAll({ type: 'window', includeUncontrolled: true })).map(({ id }) => id)

/**
 * When this worker takes over: removes the earlier builds' files that no open page needs.
 * @param current the cache keys of this build's files
 */
export async function dropOlderFiles(current: ReadonlySet<string>): Promise<void> {
  await dropUnlessNeeded(current, await openPages())
}

/** Removes the earlier builds' files once the pages that may need them are gone. */
export async function dropUnneededFiles(current: ReadonlySet<string>): Promise<void> {
  if (!(await caches.has(OLDER_PAGES))) return
  const noted = (await (await (await caches.open(OLDER_PAGES)).match(IDS))?.json()) as string[] | undefined
  const open = await openPages()
  await dropUnlessNeeded(
    current,
    open.filter((id) => noted?.includes(id)),
  )
}

async function dropUnlessNeeded(current: ReadonlySet<string>, pages: readonly string[]): Promise<void> {
  const cache = await caches.open(cacheNames.precache)
  const others = (await cache.keys()).filter(({ url }) => !current.has(url))
  const { installing, waiting } = self.registration
  const isOfNewer = Boolean(installing ?? waiting)
  const kept = others.filter(({ url }) => isOfNewer || (pages.length > 0 && isNamedByContent(new URL(url))))
  if (kept.length > 0) await (await caches.open(OLDER_PAGES)).put(IDS, new Response(JSON.stringify(pages)))
  await Promise.all(others.filter((one) => !kept.includes(one)).map(async (one) => cache.delete(one)))
  // last: a worker that was stopped before it tries again
  if (kept.length === 0) await caches.delete(OLDER_PAGES)
}
