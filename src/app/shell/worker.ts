/** The page's side of the service worker: registers it, checks for updates and offers them (INSTALL-2). */
import { Workbox } from 'workbox-window'
import { retryDelay } from '#app/api/backoff.ts'
import { onReachable } from '#app/api/network.ts'
import { updateRequired } from '#app/api/update-required.ts'
import { UPDATE_CHECK_MS, UPDATE_FALLBACK_MS, UPDATE_REQUIRED_CHECK_MS, WORKER_WAITS } from '#app/constants.ts'
import { appUpdate } from '#app/parts/app-update.ts'
import { loadWithRetry } from './reload-for-lost-parts.ts'

let registration: ServiceWorkerRegistration | undefined

export function startWorker(): void {
  // in development Vite serves the files, and a worker would interfere
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const worker = new Workbox('/sw.js')
  worker.addEventListener('waiting', () => {
    appUpdate.offer(() => {
      // some browsers never fire 'controlling'
      const fallback = setTimeout(() => location.reload(), UPDATE_FALLBACK_MS)
      worker.addEventListener('controlling', () => {
        clearTimeout(fallback)
        location.reload()
      })
      worker.messageSkipWaiting()
    })
  })
  void register(worker)
  setInterval(checkForUpdate, UPDATE_CHECK_MS)
  const checkIfRequired = () => updateRequired.get() && checkForUpdate()
  updateRequired.subscribe(checkIfRequired)
  setInterval(checkIfRequired, UPDATE_REQUIRED_CHECK_MS)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') checkForUpdate()
  })
  // a file was cut, missing or of another build, or the connection was lost while they were loading, and the browser gave up
  let failures = 0
  worker.addEventListener('redundant', () => {
    failures += 1
    // also for a failed update: Workbox listens for one only, until it registers again
    setTimeout(() => void register(worker), retryDelay(failures, undefined, WORKER_WAITS))
  })
  worker.addEventListener('installed', () => {
    failures = 0
  })
  onReachable(() => {
    if (registration && !(registration.active ?? registration.waiting ?? registration.installing)) void register(worker)
  })
}

async function register(worker: Workbox): Promise<void> {
  registration = await loadWithRetry(() => worker.register())
  checkForUpdate()
}

/** Needed because an installed app on iOS does not check by itself when resumed. */
function checkForUpdate(): void {
  registration?.update().catch(() => undefined)
}
