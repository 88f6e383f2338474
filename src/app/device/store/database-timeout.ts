import { withTimeout } from '#app/with-timeout.ts'

/** Databases may hang (on iOS above all): after this an answer counts as "not saved". */
export const DATABASE_TIMEOUT_MS = 3000

/** Rejects if the work takes longer than `ms` (default 3 s). */
export function withDatabaseTimeout<T>(work: Promise<T>, ms = DATABASE_TIMEOUT_MS): Promise<T> {
  return withTimeout(work, ms, 'the device database does not respond')
}

/** Whether the error means that the browser closed the database, so that it can be opened again. */
export function isClosed(error: unknown): boolean {
  return error instanceof Error && ['DatabaseClosedError', 'InvalidStateError', 'UnknownError'].includes(error.name)
}
