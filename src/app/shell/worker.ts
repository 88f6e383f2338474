/** The page's one door to the service worker: registers it, looks for updates, and offers them (INSTALL-2). */
import { Workbox } from 'workbox-window'
import { onReachable } from '#app/api/network.ts'
import { updateRequired } from '#app/api/update-required.ts'
import { UPDATE_CHECK_MS, UPDATE_FALLBACK_MS, UPDATE_REQUIRED_CHECK_MS } from '#app/constants.ts'
import { appUpdate } from './app-update.ts'
import { loadWithRetry } from './lost-chunks.ts'

let registration: ServiceWorkerRegistration | undefined

export function startWorker(): void {
  // In development Vite serves the files, and a worker would only be in its way.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const worker = new Workbox('/sw.js')
  worker.addEventListener('waiting', () => {
    appUpdate.offer(() => {
      worker.addEventListener('controlling', () => location.reload())
      // Some browsers never tell.
      setTimeout(() => location.reload(), UPDATE_FALLBACK_MS)
      worker.messageSkipWaiting()
    })
  })
  void register(worker)
  setInterval(look, UPDATE_CHECK_MS)
  const lookIfRequired = () => updateRequired.get() && look()
  updateRequired.subscribe(lookIfRequired)
  setInterval(lookIfRequired, UPDATE_REQUIRED_CHECK_MS)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') look()
  })
  onReachable(() => {
    // The connection went while its files came, and the browser gave it up.
    if (registration && !(registration.active ?? registration.waiting ?? registration.installing)) void register(worker)
  })
}

async function register(worker: Workbox): Promise<void> {
  registration = await loadWithRetry(() => worker.register())
  look()
}

// An installed app on iOS does not look by itself when it is resumed.
function look(): void {
  registration?.update().catch(() => undefined)
}
