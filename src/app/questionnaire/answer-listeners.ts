import { afterPaint } from '#app/ui/browser/after-paint.ts'

/**
 * Who is told that answers on screen have changed, and when: the tapped question paints first, counts and the save status render after it.
 * Each group has its own subscription, so that a tap renders one question only.
 */
export class AnswerListeners {
  readonly #groups = new Map<string, Set<() => void>>()
  readonly #all = new Set<() => void>()
  readonly #status = new Set<() => void>()
  #isStatusCurrent = true
  #isTelling = false

  subscribeGroup(questionId: string, listener: () => void): () => void {
    const listeners = this.#groups.get(questionId) ?? new Set()
    this.#groups.set(questionId, listeners)
    return added(listeners, listener)
  }

  subscribe = (listener: () => void): (() => void) => added(this.#all, listener)

  subscribeStatusCurrent = (listener: () => void): (() => void) => added(this.#status, listener)

  /** False from a tap until the snapshot includes it: nothing may say "saved" until then (ANSWERS-1). */
  isStatusCurrent = (): boolean => this.#isStatusCurrent

  setStatusCurrent(isStatusCurrent: boolean): void {
    if (this.#isStatusCurrent === isStatusCurrent) return
    this.#isStatusCurrent = isStatusCurrent
    for (const listener of this.#status) listener()
  }

  tellGroup(questionId: string): void {
    for (const listener of this.#groups.get(questionId) ?? []) listener()
  }

  tell(): void {
    for (const listener of this.#all) listener()
  }

  /** Calls `tell` once after the next paint, however often this is called until then. */
  afterPaint(tell: () => void): void {
    if (this.#isTelling) return
    this.#isTelling = true
    afterPaint(() => {
      this.#isTelling = false
      tell()
    })
  }
}

function added(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
