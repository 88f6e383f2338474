import type { FastifyReply } from 'fastify'
import type { Deps } from '../deps.ts'
import { Refused } from './refusal.ts'

// the least time left to a call whose request was slow to arrive
const LEFT_MINIMUM_MS = 1000

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

/** Whole milliseconds left for a call. The time its request took to arrive counts, because the portal's own timeout started with its first byte. */
export function timeLeft(reply: FastifyReply, { env }: Deps): number {
  return Math.max(LEFT_MINIMUM_MS, Math.round(env.callTimeoutSeconds * 1000 - reply.elapsedTime))
}
