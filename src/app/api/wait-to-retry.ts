import { LOAD_AGAIN_MS } from '#app/constants.ts'
import { onReachable } from './network.ts'

/** Resolves when the API can be reached again, at the latest after `ms`. */
export function waitToRetry(ms = LOAD_AGAIN_MS): Promise<void> {
  return new Promise((resolve) => {
    const stop = onReachable(go)
    const timer = setTimeout(go, ms)
    function go(): void {
      stop()
      clearTimeout(timer)
      resolve()
    }
  })
}
