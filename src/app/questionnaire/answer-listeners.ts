import { afterPaint } from '#app/ui/browser/after-paint.ts'

/**
 * Listeners to changes of the answers on screen: the tapped question paints first, counts and the save status render after it.
 * Each group has its own subscription, so that a tap renders one question only.
 */
export class AnswerListeners {
  readonly #groups = new Map<string, Set<() => void>>()
  readonly #all = new Set<() => void>()
  readonly #status = new Set<() => void>()
  #isStatusCurrent = true
  #isScheduled = false

  subscribeGroup(questionId: string, listener: () => void): () => void {
    const listeners = this.#groups.get(questionId) ?? new Set()
    this.#groups.set(questionId, listeners)
    return subscribeTo(listeners, listener)
  }

  subscribe = (listener: () => void): (() => void) => subscribeTo(this.#all, listener)

  subscribeStatusCurrent = (listener: () => void): (() => void) => subscribeTo(this.#status, listener)

  /** False from a tap until the snapshot includes it: nothing may say "saved" until then (ANSWERS-1). */
  isStatusCurrent = (): boolean => this.#isStatusCurrent

  setStatusCurrent(isStatusCurrent: boolean): void {
    if (this.#isStatusCurrent === isStatusCurrent) return
    this.#isStatusCurrent = isStatusCurrent
    for (const listener of this.#status) listener()
  }

  emitGroup(questionId: string): void {
    for (const listener of this.#groups.get(questionId) ?? []) listener()
  }

  emit(): void {
    for (const listener of this.#all) listener()
  }

  /** Calls `emit` once after the next paint, however often this is called until then. */
  afterPaint(emit: () => void): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    afterPaint(() => {
      this.#isScheduled = false
      emit()
    })
  }
}

function subscribeTo(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
