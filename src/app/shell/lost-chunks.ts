import { network } from '#app/api/network.ts'

const key = 'reloadedForChunkAt'
const once = 60_000

/**
 * After a deployment a lazy chunk may be gone: one reload brings the new app; if that does not help, the error screen
 * does (ruling 22). Without a connection a reload would lose the page as well.
 */
export function reloadOnceForLostChunks(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(key) ?? 0)
    if (Date.now() - last < once || !network.isReachable()) return
    event.preventDefault()
    sessionStorage.setItem(key, String(Date.now()))
    location.reload()
  })
}
