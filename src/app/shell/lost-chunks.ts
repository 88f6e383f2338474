import { network } from '#app/api/network.ts'
import { waitToRetry } from '#app/api/wait-to-retry.ts'
import { RELOAD_AGAIN_MS, RELOADED_KEY } from '#app/constants.ts'
import { remember } from '#app/remember.ts'

let firstTries = 0

/**
 * After a deployment a lazy chunk may no longer exist: one reload brings the new app, or else the error screen offers it
 * (INSTALL-3). Offline a reload would lose the page as well.
 */
export function reloadOnceForLostChunks(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(RELOADED_KEY) ?? 0)
    // an import that nobody is waiting for is retried once before reloading the page
    if (firstTries > 0 || Date.now() - last < RELOAD_AGAIN_MS || !navigator.onLine || !network.isReachable()) return
    // unstored it would be reloaded for ever
    if (!remember(RELOADED_KEY, String(Date.now()), sessionStorage)) return
    event.preventDefault()
    location.reload()
  })
}

/** For a module that no screen waits for but every session needs: retried until the connection allows it. Never rejects. */
export async function loadWithRetry<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (let tries = 0; ; tries += 1) {
    if (tries === 0) firstTries += 1
    try {
      const loaded = await load()
      // undefined while the page is being reloaded for it
      if (loaded !== undefined) return loaded
    } catch (error) {
      console.warn('Asked for again', error)
    } finally {
      if (tries === 0) firstTries -= 1
    }
    await waitToRetry()
  }
}
