/** The page's one door to the service worker: registers it, looks for updates, and takes one over when asked (ruling 22). */
import { Workbox } from 'workbox-window'
import { happening } from '#app/api/happening.ts'
import { onReachable } from '#app/api/network.ts'
import { UPDATE_CHECK_MS, UPDATE_FALLBACK_MS } from '#app/constants.ts'
import { loadInTheEnd } from './lost-chunks.ts'

const changed = happening()
let workbox: Workbox | undefined
let registration: ServiceWorkerRegistration | undefined
let isWaiting = false

export const appUpdate = {
  /** a newer app is whole and waits */
  isWaiting: () => isWaiting,
  subscribe: changed.subscribe,
  /** Lets it take over and reloads once it has; without a waiting one, reloads. */
  accept(): void {
    if (!workbox || !isWaiting) return location.reload()
    workbox.addEventListener('controlling', () => location.reload())
    // Some browsers never tell.
    setTimeout(() => location.reload(), UPDATE_FALLBACK_MS)
    workbox.messageSkipWaiting()
  },
}

export function startWorker(): void {
  // In development Vite serves the files, and a worker would only be in its way.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  workbox = new Workbox('/sw.js')
  workbox.addEventListener('waiting', () => {
    isWaiting = true
    changed.tell()
  })
  const registering = workbox
  void register(registering)
  setInterval(look, UPDATE_CHECK_MS)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') look()
  })
  onReachable(() => {
    // The connection went while its files came, and the browser gave it up.
    if (registration && !(registration.active ?? registration.waiting ?? registration.installing)) void register(registering)
  })
}

async function register(worker: Workbox): Promise<void> {
  registration = await loadInTheEnd(() => worker.register())
  look()
}

// An installed app on iOS does not look by itself when it is resumed.
function look(): void {
  registration?.update().catch(() => undefined)
}
