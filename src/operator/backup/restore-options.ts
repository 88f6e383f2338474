import type { RestoreTimes } from '#server/db/restore-mark.ts'
import { EXIT, ExitError, textOf } from '../exit.ts'

export interface RestoreOptions {
  /** deletes what is there */
  replace: boolean
  /** verifies the backup and whether it fits, and changes nothing */
  check: boolean
  pgBin?: string | undefined
}

export interface RestoreInput extends RestoreOptions {
  restored: RestoreTimes
}

/** "Nothing was changed" is what a failed command means otherwise. */
export function sayReplaced(error: unknown): never {
  const exit = error instanceof ExitError ? error.exit : EXIT.failed
  const next =
    'The database is now that of the backup. The next start, or the next command that opens it, will finish the restore and name who must be erased again.'
  throw new ExitError(`${textOf(error)} ${next}`, exit, { cause: error })
}
