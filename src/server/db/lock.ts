import { DatabaseSync } from 'node:sqlite'

/**
 * Locks an embedded database for the life of this process: two processes on one database would silently lose data. The lock is the
 * operating system's, so kill -9 releases it and a leftover file does not block anyone.
 * @throws if another process has it (INPUT-71)
 */
export function holdLock(path: string): () => void {
  const lock = new DatabaseSync(path)
  try {
    lock.exec('pragma journal_mode = delete; pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    lock.close()
    throw new Error(`Another Touchline server is using this data folder: ${path} is locked. Stop it, or choose another DATA_DIR.`, {
      cause: error,
    })
  }
  return () => lock.close()
}
