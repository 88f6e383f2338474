import { loadDexie } from './load-dexie.ts'
import type { Dated, HeldState } from './stored.ts'

/**
 * The device store: everything this browser stores of a person's work. Code outside this folder imports this file, the row types
 * (stored.ts) and the events (store-events.ts).
 * A tap and the first question use plain IndexedDB (idb.ts), everything else Dexie (dexie-*.ts), which loads later.
 * Each function is one transaction, and rejects if the disk did not take it within 3 s. What the functions do, and their
 * parameters, is said where they are defined. Row types: stored.ts. docs/decisions/0015
 */

export { stateBeforeFetch, readQuestionnaire, readRows, readRowsIfStored, writeAnswer } from './idb.ts'

type DexieStore = Awaited<ReturnType<typeof loadDexie>>

function byDexie<Given extends unknown[], Result>(workOf: (dexie: DexieStore) => (...given: Given) => Promise<Result>) {
  return async (...given: Given): Promise<Result> => workOf(await loadDexie())(...given)
}

export const ownersHere = byDexie((dexie) => dexie.ownersHere)
export const instancesOf = byDexie((dexie) => dexie.instancesOf)
export const heldBy = byDexie((dexie) => dexie.heldBy)
export const unstored = byDexie((dexie) => dexie.unstored)
export const noteRefused = byDexie((dexie) => dexie.noteRefused)
export const readInstance = byDexie((dexie) => dexie.readInstance)
export const languagesOf = byDexie((dexie) => dexie.languagesOf)
export const storeInstance = byDexie((dexie) => dexie.storeInstance)
export const noteMissing = byDexie((dexie) => dexie.noteMissing)
export const restoreInstance = byDexie((dexie) => dexie.restoreInstance)
export const changeInstance = byDexie((dexie) => dexie.changeInstance)
export const restoreLate = byDexie((dexie) => dexie.restoreLate)
export const dismissLate = byDexie((dexie) => dexie.dismissLate)
export const discardUnsent = byDexie((dexie) => dexie.discardUnsent)

export const readSyncState = byDexie((dexie) => dexie.readSyncState)
export const storeOperation = byDexie((dexie) => dexie.storeOperation)
export const removeOperation = byDexie((dexie) => dexie.removeOperation)
export const acknowledge = byDexie((dexie) => dexie.acknowledge)
export const setTrouble = byDexie((dexie) => dexie.setTrouble)
export const complete = byDexie((dexie) => dexie.complete)
export const removeSent = byDexie((dexie) => dexie.removeSent)

export const clearRows = byDexie((dexie) => dexie.clearRows)
export const clearErased = byDexie((dexie) => dexie.clearErased)
export const deviceId = byDexie((dexie) => dexie.deviceId)
export const wasDeleted = byDexie((dexie) => dexie.wasDeleted)
export const adoptDatabase = byDexie((dexie) => async () => dexie.adoptDatabase())
export const readDeviceValue = byDexie((dexie) => dexie.readDeviceValue)
export const writeDeviceValue = byDexie((dexie) => dexie.writeDeviceValue)
export const writeStored = byDexie((dexie) => dexie.writeStored)
export const changeStored = byDexie((dexie) => dexie.changeStored)
export const storedKeys = byDexie((dexie) => dexie.storedKeys)

/** A stored read by its key; undefined if there is none. The value is not checked: `T` is the type it was written with. */
export async function readStored<T>(userId: string, key: string): Promise<Dated<T> | undefined> {
  return (await loadDexie()).readStored<T>(userId, key)
}

/**
 * Calls `observer.next` now and whenever a row of the person's instances changes. Returns a function that stops it.
 * @param select turns the stored states into the value for the observer
 */
export function watchInstances<T>(
  userId: string,
  select: (stored: Promise<HeldState[]>) => Promise<T>,
  observer: { next: (found: T) => void; error: (error: unknown) => void },
): () => void {
  let isOver = false
  let stop = () => {
    isOver = true
  }
  loadDexie().then((dexie) => {
    if (!isOver) stop = dexie.watchInstances(userId, select, observer)
  }, observer.error)
  return () => stop()
}
