import { isApiError } from './api-error.ts'

/** Milliseconds. */
interface Waits {
  /** after the first failure; doubled with each that follows */
  first: number
  longest: number
}

/** What the server asked for: nothing is asked again before. */
function askedFor(error: unknown): number {
  return isApiError(error) ? (error.retryAfterSeconds ?? 0) * 1000 : 0
}

/**
 * How long to wait after so many failures in a row, the last of which was `error`: uneven, so that many phones do not come
 * back at once, and as long as the server asked. Every call that a server may have refused for now waits by it; the app's own
 * files, and a questionnaire without a connection, have their own waits (boot/files.ts, next-chance.ts). All of them are
 * listed in tests/app/retries.test.ts.
 */
export function retryDelay(failures: number, error: unknown, { first, longest }: Waits, random: () => number = Math.random): number {
  const doubled = Math.min(first * 2 ** Math.max(failures - 1, 0), longest)
  return Math.max(doubled * (0.5 + random() / 2), askedFor(error))
}
