import { Refused } from './refusal.ts'

/** Rejects with UNAVAILABLE if the work takes longer. The work is not cancelled: it completes, and a retry finds what it did. */
export function refuseAfter<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Refused('UNAVAILABLE', { retryAfter: 1 }, 'took too long')), ms)
    const clearThen =
      <Value>(settle: (value: Value) => void) =>
      (value: Value) => {
        clearTimeout(timer)
        settle(value)
      }
    work.then(clearThen(resolve), clearThen(reject))
  })
}
