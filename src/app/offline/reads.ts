import { db, onDevice } from './db.ts'

/** Dated answers of the API, kept for when it cannot be reached (ruling 19). Values are what the contract's schema parsed. */
export interface Dated<T> {
  value: T
  /** epoch ms of the answer: shown as "as of" */
  at: number
}

export async function readStored<T>(userId: string, key: string): Promise<Dated<T> | undefined> {
  const row = await onDevice(() => db.reads.get([userId, key]))
  return row && { value: row.value as T, at: row.at }
}

export async function writeStored(userId: string, key: string, value: unknown): Promise<void> {
  await onDevice(() => db.reads.put({ userId, key, value, at: Date.now() }))
}
