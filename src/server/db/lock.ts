import { DatabaseSync } from 'node:sqlite'

/**
 * Two processes on one embedded database lose data without a word, so one holds this lock for its whole life. It is
 * the operating system's lock on the file, not the file, that counts: kill -9 releases it, a file left over blocks
 * nobody. Throws when another process has it (INPUT-71).
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
