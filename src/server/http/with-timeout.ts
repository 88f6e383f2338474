import { Refused } from './refusal.ts'

/** Rejects with UNAVAILABLE if the work takes longer. The work is not cancelled: it completes, and a retry finds what it did. */
export function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Refused('UNAVAILABLE', { retryAfter: 1 }, 'took too long')), ms)
    const clearThen =
      <Given>(settle: (given: Given) => void) =>
      (given: Given) => {
        clearTimeout(timer)
        settle(given)
      }
    work.then(clearThen(resolve), clearThen(reject))
  })
}
