import { errorCode } from './error-code.ts'
import { hasCause } from './has-cause.ts'

/** Whether a disk is full, also if another program says so, or the embedded database, whose codes are numbers; not PostgreSQL's shared memory. */
export function isDiskFull(error: unknown): boolean {
  return hasCause(
    error,
    (one) => errorCode(one) === 'ENOSPC' || (/No space left on device/i.test(one.message) && !/shared memory/i.test(one.message)),
  )
}
