/** Toasts: one at a time, for 5 s, paused on hover and focus (SHELL-12). For events only; a lasting problem is shown on its screen. */
import { i18n } from '#app/i18n/i18n.ts'
import { TOAST_MS, TOAST_REMOVE_DELAY_MS } from '#app/constants.ts'
import { noteError, type Failed, type WordsKey } from './recent-errors.ts'

export interface Toast {
  id: number
  title?: string
  text: string
  tone: 'plain' | 'refused'
  /** false once dismissed; removed a while later (SHELL-12) */
  isOpen: boolean
}

/** Why the timer is paused. */
type Pause = 'hover' | 'focus' | 'hidden'

interface Clock {
  now: () => number
  setTimeout: (run: () => void, ms: number) => unknown
  clearTimeout: (timer: unknown) => void
}

export function createToasts(clock: Clock) {
  const listeners = new Set<() => void>()
  const pauses = new Set<Pause>()
  let shown: Toast | undefined
  let timer: unknown
  let removal: unknown
  let leftMs = 0
  let runningSince = 0
  let lastId = 0

  function setShown(next: Toast | undefined): void {
    shown = next
    for (const listener of listeners) listener()
  }

  function startTimer(): void {
    clock.clearTimeout(timer)
    if (!shown?.isOpen || pauses.size > 0) return
    runningSince = clock.now()
    timer = clock.setTimeout(dismiss, leftMs)
  }

  function dismiss(): void {
    clock.clearTimeout(timer)
    if (!shown?.isOpen) return
    setShown({ ...shown, isOpen: false })
    removal = clock.setTimeout(() => setShown(undefined), TOAST_REMOVE_DELAY_MS)
  }

  return {
    get: () => shown,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    show(toast: { title?: string; text: string; tone?: Toast['tone'] }) {
      clock.clearTimeout(removal)
      // a new toast gets its full time, even if the pointer or the focus was on the last one
      pauses.delete('hover')
      pauses.delete('focus')
      leftMs = TOAST_MS
      setShown({ tone: 'plain', ...toast, id: ++lastId, isOpen: true })
      startTimer()
    },
    dismiss,
    pause(why: Pause) {
      if (pauses.size === 0 && shown?.isOpen) {
        clock.clearTimeout(timer)
        leftMs -= clock.now() - runningSince
      }
      pauses.add(why)
    },
    resume(why: Pause) {
      if (pauses.delete(why)) startTimer()
    },
  }
}

export const toasts = createToasts({
  now: () => performance.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
})

/** Reports something that succeeded. */
export function toast(text: string): void {
  toasts.show({ text })
}

/** Reports something refused or failed: with the title Error, in the style of errors (SHELL-12). /device lists it too (SHELL-13). */
export function errorToast(key: WordsKey): void
export function errorToast(failed: Failed, text: string): void
export function errorToast(failed: Failed, text = i18n.t(failed as WordsKey)): void {
  noteError({ at: Date.now(), text, language: i18n.language, failed })
  toasts.show({ title: i18n.t('ui:Error'), text, tone: 'refused' })
}
