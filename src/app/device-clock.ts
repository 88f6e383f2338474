/** Comparisons of instants of the device's clock (epoch ms), which somebody or the network may set back. */

/** Whether this long has passed since then. An instant that is still to come, as the clock was set back, counts as long past. */
export function hasElapsed(since: number, ms: number): boolean {
  const elapsed = Date.now() - since
  return elapsed < 0 || elapsed >= ms
}

/** Whether one instant is after another. If only one of them is still to come, it is from before the clock was set back. */
export function isAfter(instant: number, other: number): boolean {
  const now = Date.now()
  return instant > now === other > now ? instant > other : other > now
}
