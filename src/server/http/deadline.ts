import { Refused } from './refusal.ts'

/** Rejects with UNAVAILABLE if the work takes longer. The work is not cancelled: it completes, and a retry finds what it did. */
export function withDeadline<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Refused('UNAVAILABLE', { retryAfter: 1 }, 'took too long')), milliseconds)
    const inTime =
      <Given>(settle: (given: Given) => void) =>
      (given: Given) => {
        clearTimeout(timer)
        settle(given)
      }
    work.then(inTime(resolve), inTime(reject))
  })
}
