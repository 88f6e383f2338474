import { IDLE_AT_LATEST_MS, IDLE_GUESS_MS } from '#app/constants.ts'

/** Runs when the browser is idle, or after half a second: for work that would delay a screen still loading. */
export function whenIdle(run: () => void): void {
  // not in Safari
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: IDLE_AT_LATEST_MS })
  else setTimeout(run, IDLE_GUESS_MS)
}

/** Runs once the latest changes are painted; a hidden page does not paint and does not wait. */
export function afterPaint(run: () => void): void {
  if (document.hidden) setTimeout(run)
  else requestAnimationFrame(() => setTimeout(run))
}

/** Yields to the browser: between two short tasks a slow phone can respond to a finger, within one long task it cannot. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
