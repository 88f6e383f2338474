import { isApiError } from './api-error.ts'

/** Milliseconds. */
interface Waits {
  /** after the first failure; doubled with each that follows */
  first: number
  longest: number
}

/** The server's Retry-After in ms, else 0. */
function retryAfter(error: unknown): number {
  return isApiError(error) ? (error.retryAfterSeconds ?? 0) * 1000 : 0
}

/**
 * The wait in ms before the next try: doubled with each failure in a row, with jitter so that many phones do not come back at once. If
 * `error`, the last failure, has a Retry-After, the jitter is above it: the server tells all of them the same. Every retried call uses
 * it; the app's own files, and a questionnaire without a connection, have waits of their own (boot/retries.ts, wait-to-retry.ts).
 * tests/app/retries.test.ts lists all.
 */
export function retryDelay(failures: number, error: unknown, { first, longest }: Waits, random: () => number = Math.random): number {
  const asked = retryAfter(error)
  const doubled = Math.min(Math.max(first, asked) * 2 ** Math.max(failures - 1, 0), longest)
  return asked > 0 ? asked + doubled * random() : doubled * (0.5 + random() / 2)
}
