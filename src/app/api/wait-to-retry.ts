import { LOAD_AGAIN_MS } from '#app/constants.ts'
import { onReachable } from './network.ts'

/** Resolves when what could not be had is worth asking for again: the API can be reached again, or this much later. */
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
