/** The service worker's events. An update waits until the page says SKIP_WAITING (ruling 22). */
import type { PrecacheEntry } from 'workbox-precaching'
import { hostsOf, keepReads } from './read-cache.ts'
import { keepShell } from './shell-cache.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: PrecacheEntry[] }

const { PROD, VITE_API_URL, VITE_MEDIA_URL } = import.meta.env
const appFiles = self.__WB_MANIFEST

// In development the list of app files is empty and Vite serves them.
if (PROD) keepShell(appFiles)
keepReads(hostsOf(self.location.origin, VITE_API_URL, VITE_MEDIA_URL))

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim())
})

self.addEventListener('message', (event) => {
  const message: unknown = event.data
  if (typeof message === 'object' && message !== null && 'type' in message && message.type === 'SKIP_WAITING') {
    event.waitUntil(self.skipWaiting())
  }
})
