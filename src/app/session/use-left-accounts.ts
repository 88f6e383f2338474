import { useEffect, useSyncExternalStore } from 'react'
import { ERASED_READ_MS } from '#app/constants.ts'
import { unreadErasure, isLeftClosed, isLeftOpen, leftAccounts, noteErasureRead, onLeftAccounts } from './left-accounts.ts'

/**
 * How many unsent answers of erased accounts were removed here; undefined if there is nothing to tell. Told until the screen that shows
 * it is left after the time it takes to read: a reload shows it again.
 */
export function useErasedUnsent(): number | undefined {
  const unsent = useSyncExternalStore(onLeftAccounts, () => unreadErasure()?.unsent)
  useEffect(() => {
    if (unsent === undefined) return
    const shownAt = performance.now()
    return () => {
      if (performance.now() - shownAt > ERASED_READ_MS) noteErasureRead(unsent)
    }
  }, [unsent])
  return unsent
}

/** Whether this account, which was left here, is closed. Says nothing about other accounts: several people may use this device. */
export function useIsLeftClosed(userId: string | undefined): boolean {
  return useSyncExternalStore(onLeftAccounts, () => isLeftClosed(userId))
}

/** Whether the server said that this account, which was left here, is open. */
export function useIsLeftOpen(userId: string | undefined): boolean {
  return useSyncExternalStore(onLeftAccounts, () => isLeftOpen(userId))
}

/** How many answers here belong to accounts that the server does not have. */
export function useMissingAnswers(): number {
  return useSyncExternalStore(onLeftAccounts, missingAnswers)
}

const missingAnswers = () => leftAccounts().reduce((sum, { state, answers = 0 }) => sum + (state === 'missing' ? answers : 0), 0)
