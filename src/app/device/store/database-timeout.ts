import { withTimeout } from '#app/api/with-timeout.ts'

/** Browsers close or hang databases (iOS above all): longer than this is "not saved". */
export const DATABASE_TIMEOUT_MS = 3000

/** Gives a piece of work on the database up after 3 s, or when told. */
export function withDatabaseTimeout<T>(work: Promise<T>, ms = DATABASE_TIMEOUT_MS): Promise<T> {
  return withTimeout(work, ms, 'the device database does not respond')
}

/** The browser closed the database under us: to be opened again. */
export function isClosed(error: unknown): boolean {
  return error instanceof Error && ['DatabaseClosedError', 'InvalidStateError', 'UnknownError'].includes(error.name)
}
