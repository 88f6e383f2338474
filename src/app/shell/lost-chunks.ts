import { network } from '#app/api/network.ts'
import { waitToRetry } from '#app/api/wait-to-retry.ts'
import { LEFT_AT_LATEST_MS, RELOAD_AGAIN_MS, RELOADED_KEY } from '#app/constants.ts'
import { remember } from '#app/remember.ts'

let firstTriesUnderWay = 0
/** set from a lost chunk on until the page has reloaded, or the server turned out to be away */
let isReloading = false
/** when another page was last asked for, by `performance.now` */
let leavingSince = Number.NEGATIVE_INFINITY
/** ends the wait for another page */
let stopWaiting = () => {}

/**
 * After a deployment a lazy chunk may no longer exist: reloads once to get the new app; if that does not help, the error screen
 * offers a reload (INSTALL-3). Only if the server replies now: without it, a reload would leave an empty page.
 */
export function reloadOnceForLostChunks(): void {
  addEventListener('beforeunload', () => {
    leavingSince = performance.now()
  })
  // a link that opens a mail or a file leaves the page where it is, as does a cancelled navigation
  for (const type of ['pushState', 'popstate']) addEventListener(type, noteStaying)
  addEventListener('pageshow', ({ persisted }) => persisted && noteStaying())
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(RELOADED_KEY) ?? 0)
    // loadWithRetry gets a second try before the page reloads, as no screen waits for its module
    if (firstTriesUnderWay > 0 || Date.now() - last < RELOAD_AGAIN_MS || !navigator.onLine || !network.isReachable()) return
    // the import resolves to undefined instead of failing before the page has reloaded
    event.preventDefault()
    if (!isReloading) void reloadIfReachable()
  })
}

function noteStaying(): void {
  leavingSince = Number.NEGATIVE_INFINITY
  stopWaiting()
}

async function reloadIfReachable(): Promise<void> {
  isReloading = true
  // Firefox stops what is loading as soon as another page is asked for, and a reload would stop that page. A file may be asked for, too
  const stay = leavingSince + LEFT_AT_LATEST_MS - performance.now()
  if (stay > 0)
    await new Promise<void>((resolve) => {
      stopWaiting = resolve
      setTimeout(resolve, stay)
    })
  // without a stored time the page would reload again and again
  if ((await network.probe()) && remember(RELOADED_KEY, String(Date.now()), sessionStorage)) location.reload()
  else isReloading = false
}

/** For a module that no screen waits for but every session needs: retries until it is loaded. Never rejects. */
export async function loadWithRetry<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (let tries = 0; ; tries += 1) {
    if (tries === 0) firstTriesUnderWay += 1
    try {
      const loaded = await load()
      // undefined if the page is about to reload (vite:preloadError was cancelled)
      if (loaded !== undefined) return loaded
    } catch (error) {
      console.warn('A module could not be loaded; trying again', error)
    } finally {
      if (tries === 0) firstTriesUnderWay -= 1
    }
    await waitToRetry()
  }
}
