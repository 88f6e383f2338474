import { network } from '#app/api/network.ts'
import { waitToRetry } from '#app/api/wait-to-retry.ts'
import { RELOAD_AGAIN_MS, RELOADED_KEY } from '#app/constants.ts'
import { remember } from '#app/remember.ts'

let firstTries = 0

/**
 * After a deployment a lazy chunk may be gone: one reload brings the new app; if that does not help, the error screen
 * does (INSTALL-3). Without a connection a reload would lose the page as well.
 */
export function reloadOnceForLostChunks(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(RELOADED_KEY) ?? 0)
    // what nobody has asked for is tried once more before the page is loaded anew for it
    if (firstTries > 0 || Date.now() - last < RELOAD_AGAIN_MS || !navigator.onLine || !network.isReachable()) return
    // unstored it would be loaded anew for ever
    if (!remember(RELOADED_KEY, String(Date.now()), sessionStorage)) return
    event.preventDefault()
    location.reload()
  })
}

/** For what no screen waits for, and no session may be without: the connection may go before it has come. Rejects never. */
export async function loadWithRetry<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (let tries = 0; ; tries += 1) {
    if (tries === 0) firstTries += 1
    try {
      const loaded = await load()
      // Undefined while the page is being loaded anew for it.
      if (loaded !== undefined) return loaded
    } catch (error) {
      console.warn('Asked for again', error)
    } finally {
      if (tries === 0) firstTries -= 1
    }
    await waitToRetry()
  }
}
