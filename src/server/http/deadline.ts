import { Refused } from './refusal.ts'

/** Rejects with UNAVAILABLE if the work takes longer. The work is not cancelled: it completes, and a retry finds what it did. */
export async function withDeadline<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Refused('UNAVAILABLE', { retryAfter: 1 }, 'took too long')), milliseconds)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
