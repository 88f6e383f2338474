import { IDLE_AT_LATEST_MS, IDLE_GUESS_MS } from '#app/constants.ts'

/** Runs when the browser is idle, or after half a second: for work that would delay a screen that is still loading. */
export function whenIdle(run: () => void): void {
  // Safari has no requestIdleCallback
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: IDLE_AT_LATEST_MS })
  else setTimeout(run, IDLE_GUESS_MS)
}

/** Runs once the latest changes are painted; on a hidden page, which is not painted, at once. */
export function afterPaint(run: () => void): void {
  if (document.hidden) setTimeout(run)
  else requestAnimationFrame(() => setTimeout(run))
}

/** Yields to the browser: a slow phone responds to a tap between two short tasks, but not during one long task. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
