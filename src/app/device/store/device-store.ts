import { loadDexie } from './load-dexie.ts'
import type { Dated, LocalState } from './stored.ts'

/**
 * The device store: everything this browser stores of a person's work. Code outside this folder imports this file, the row types
 * (stored.ts) and the events (store-events.ts).
 * A tap and the first question use plain IndexedDB (idb.ts), everything else Dexie (dexie-*.ts), which loads later.
 * Each function is one transaction, and rejects if the disk did not take it within 3 s. The functions and their parameters are
 * documented where they are defined. Row types: stored.ts. docs/decisions/0015
 */

// what the functions below wait for
export { loadDexie } from './load-dexie.ts'
export { stateBeforeFetch, readQuestionnaire, readRows, readRowsIfStored, writeAnswer } from './idb.ts'

type DexieStore = Awaited<ReturnType<typeof loadDexie>>

function viaDexie<Args extends unknown[], Result>(workOf: (dexie: DexieStore) => (...args: Args) => Promise<Result>) {
  return async (...args: Args): Promise<Result> => workOf(await loadDexie())(...args)
}

export const ownersOnDevice = viaDexie((dexie) => dexie.ownersOnDevice)
export const instancesOf = viaDexie((dexie) => dexie.instancesOf)
export const localStatesOf = viaDexie((dexie) => dexie.localStatesOf)
export const unstoredInstancesOf = viaDexie((dexie) => dexie.unstoredInstancesOf)
export const setRefusal = viaDexie((dexie) => dexie.setRefusal)
export const readInstance = viaDexie((dexie) => dexie.readInstance)
export const languagesOf = viaDexie((dexie) => dexie.languagesOf)
export const storeInstance = viaDexie((dexie) => dexie.storeInstance)
export const forgetAcknowledged = viaDexie((dexie) => dexie.forgetAcknowledged)
export const restoreInstance = viaDexie((dexie) => dexie.restoreInstance)
export const changeInstance = viaDexie((dexie) => dexie.changeInstance)
export const restoreLate = viaDexie((dexie) => dexie.restoreLate)
export const dismissLate = viaDexie((dexie) => dexie.dismissLate)
export const discardUnsent = viaDexie((dexie) => dexie.discardUnsent)

export const readSyncState = viaDexie((dexie) => dexie.readSyncState)
export const storeOperation = viaDexie((dexie) => dexie.storeOperation)
export const removeOperation = viaDexie((dexie) => dexie.removeOperation)
export const acknowledge = viaDexie((dexie) => dexie.acknowledge)
export const setTrouble = viaDexie((dexie) => dexie.setTrouble)
export const complete = viaDexie((dexie) => dexie.complete)
export const removeSent = viaDexie((dexie) => dexie.removeSent)

export const clearRows = viaDexie((dexie) => dexie.clearRows)
export const noteSession = viaDexie((dexie) => dexie.noteSession)
export const clearErased = viaDexie((dexie) => dexie.clearErased)
export const savesDeviceId = viaDexie((dexie) => dexie.savesDeviceId)
export const wasDeleted = viaDexie((dexie) => dexie.wasDeleted)
export const adoptDatabase = viaDexie((dexie) => async () => dexie.adoptDatabase())
export const readDeviceValue = viaDexie((dexie) => dexie.readDeviceValue)
export const writeDeviceValue = viaDexie((dexie) => dexie.writeDeviceValue)
export const writeStored = viaDexie((dexie) => dexie.writeStored)
export const changeStored = viaDexie((dexie) => dexie.changeStored)
export const storedKeys = viaDexie((dexie) => dexie.storedKeys)

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
  select: (stored: Promise<LocalState[]>) => Promise<T>,
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
