import { useEffect, useSyncExternalStore } from 'react'
import { ERASED_READ_MS } from '#app/constants.ts'
import { erasedHere, leftAccounts, onLeftAccounts, removeErased } from './left-accounts.ts'

/**
 * How many unsent answers of erased accounts were removed here; undefined if there is nothing to say. Said until the screen that says
 * it is left after the time in which it is read: a reload says it again.
 */
export function useErasedUnsent(): number | undefined {
  const unsent = useSyncExternalStore(onLeftAccounts, () => erasedHere()?.unsent)
  useEffect(() => {
    if (unsent === undefined) return
    const shownAt = performance.now()
    return () => {
      if (performance.now() - shownAt > ERASED_READ_MS) removeErased()
    }
  }, [unsent])
  return unsent
}

/** Whether the account that was left last is closed: on another device, as here the sign-out leaves nothing of it. */
export function useIsLastLeftClosed(): boolean {
  return useSyncExternalStore(onLeftAccounts, () => leftAccounts().at(-1)?.state === 'closed')
}

/** How many answers are here of accounts that the server does not have. */
export function useMissingAnswers(): number {
  return useSyncExternalStore(onLeftAccounts, missingAnswers)
}

const missingAnswers = () => leftAccounts().reduce((sum, { state, answers = 0 }) => sum + (state === 'missing' ? answers : 0), 0)
