import type { AnswerRow } from '#app/sync/sync.ts'

/** How long the answers took that were given on this screen. QUESTIONS-22 */
export class AnswerTimes {
  /** epoch ms */
  #lastAt: number | undefined

  /** ms since the answer before; undefined for the first after a pause, and a changed answer keeps the longer time. */
  next(changed: AnswerRow | undefined): number | undefined {
    const now = Date.now()
    const times = [changed?.tookMs, this.#lastAt === undefined ? undefined : now - this.#lastAt].filter((ms) => ms !== undefined)
    this.#lastAt = now
    return times.length === 0 ? undefined : Math.max(...times)
  }
}
