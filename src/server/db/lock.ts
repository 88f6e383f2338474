import { DatabaseSync } from 'node:sqlite'

export class LockHeld extends Error {}

/**
 * Locks an embedded database for the life of this process: two processes on one database would silently lose data. The lock is the
 * operating system's, so kill -9 releases it and a leftover file does not block anyone.
 * @throws if another process has it (INPUT-71)
 */
export function holdLock(path: string): () => void {
  const lock = openFile(path)
  try {
    lock.exec('pragma journal_mode = delete; pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    lock.close()
    if (!(error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY)) throw unusable(path, error)
    throw new LockHeld(
      `Another Touchline server or command is using this data folder: ${path} is locked. Stop it, or choose another DATA_DIR.`,
      { cause: error },
    )
  }
  return () => lock.close()
}

const SQLITE_BUSY = 5

function openFile(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path)
  } catch (error) {
    throw unusable(path, error)
  }
}

function unusable(path: string, cause: unknown): Error {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new Error(`DATA_DIR: ${path} cannot be written: ${why}. Its disk may be full or read-only, or the file another user's.`, { cause })
}
