import { Refused } from './refusal.ts'

/**
 * What is being done, or UNAVAILABLE when that takes longer. It is not broken off: whatever it does it does whole, and
 * who asks again is answered by what it did.
 */
export async function withDeadline<T>(milliseconds: number, doing: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Refused('UNAVAILABLE', { retryAfter: 1 }, 'took too long')), milliseconds)
  })
  try {
    return await Promise.race([doing, late])
  } finally {
    clearTimeout(timer)
  }
}
