/** The service worker's events. An update waits until the page says SKIP_WAITING (INSTALL-2). */
import type { PrecacheEntry } from 'workbox-precaching'
import { cacheReads, hostsOf } from './read-cache.ts'
import { dropUnneededFiles } from './older-files.ts'
import { countShell, ownKeys, precacheShell, repairShell } from './shell-cache.ts'
import { addStaticRoutes } from './static-routes.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: PrecacheEntry[] }

const { PROD, VITE_API_URL, VITE_MEDIA_URL } = import.meta.env
const appFiles = self.__WB_MANIFEST

// in development the list of app files is empty, and Vite serves them
if (PROD) precacheShell(appFiles)
const hosts = hostsOf(self.location.origin, VITE_API_URL, VITE_MEDIA_URL)
cacheReads(hosts)

self.addEventListener('install', (event) => {
  if (PROD) event.waitUntil(addStaticRoutes(event, hosts))
})

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim())
})

self.addEventListener('message', (event) => {
  const { type } = (event.data ?? {}) as { type?: unknown } // from a page of this origin, of whatever version
  const count = async () => event.ports[0]?.postMessage(await countShell(appFiles))
  if (type === 'SKIP_WAITING') event.waitUntil(self.skipWaiting())
  // a page that has just opened may come after the last one of an earlier build
  if (type === 'COUNT_SHELL') event.waitUntil(count().then(() => dropUnneededFiles(ownKeys())))
  // replies even if the repair fails: files that could not be fetched are missing from the count
  if (type === 'REPAIR_SHELL')
    event.waitUntil(
      repairShell(appFiles)
        .catch(() => undefined)
        .then(count),
    )
})
