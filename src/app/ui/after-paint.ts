import { IDLE_AT_LATEST_MS, IDLE_GUESS_MS } from '#app/constants.ts'

/** Runs once nothing is left to draw for now, or after half a second: for what would hold up a screen that is still filling. */
export function whenIdle(run: () => void): void {
  // Safari has none.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: IDLE_AT_LATEST_MS })
  else setTimeout(run, IDLE_GUESS_MS)
}

/** Runs once what has just changed on screen is painted; a hidden page paints nothing and does not wait. */
export function afterPaint(run: () => void): void {
  if (document.hidden) setTimeout(run)
  else requestAnimationFrame(() => setTimeout(run))
}

/** The work begun so far ends here: between two short tasks a slow phone can answer a finger, in one long one it can't. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
