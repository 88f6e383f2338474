import { byDevice, byServer, serverNow } from '#app/api/server-clock.ts'
import { answersDeviceId, storeAnswersDeviceId } from '#app/session/known-devices.ts'
import { db, refuseIf, withDatabase } from './db.ts'
import { databaseLost } from './store-events.ts'
import type { Dated } from './stored.ts'

/**
 * Stored reads, and values of the device itself. Each function is one transaction, and rejects if the disk does not take it within 3 s.
 * On the disk the dates are the server's, so that a device's clock may be wrong, and be set right later; callers see the device's.
 */

/** A stored read by its key; the value is not checked. */
export async function readStored<T>(userId: string, key: string): Promise<Dated<T> | undefined> {
  const row = await withDatabase(() => db.reads.get([userId, key]))
  return row && { value: row.value as T, at: byDevice(row.at) }
}

/**
 * @param at epoch ms of the value
 * @param mayStore asked within the transaction, as this code may have loaded only once its owner had signed out
 */
export async function writeStored(
  userId: string,
  key: string,
  value: unknown,
  { at = Date.now(), mayStore }: { at?: number; mayStore?: () => boolean } = {},
): Promise<void> {
  await withDatabase(() =>
    db.transaction('rw', db.reads, async () => {
      await db.reads.get([userId, key])
      refuseIf(mayStore?.() === false)
      await db.reads.put({ userId, key, value, at: byServer(at) })
    }),
  )
}

/**
 * Changes a stored read in one transaction, so that two tabs do not overwrite each other's change.
 * @param change given the stored value, or undefined if there is none
 * @param mayStore as for `writeStored`
 */
export async function changeStored(
  userId: string,
  key: string,
  change: (value: unknown) => unknown,
  mayStore?: () => boolean,
): Promise<void> {
  await withDatabase(() =>
    db.transaction('rw', db.reads, async () => {
      const row = await db.reads.get([userId, key])
      refuseIf(mayStore?.() === false)
      await db.reads.put({ userId, key, value: change(row?.value), at: serverNow() })
    }),
  )
}

/** The keys of a person's stored reads. */
export async function storedKeys(userId: string): Promise<string[]> {
  const keys = await withDatabase(() => db.reads.where('[userId+key]').between([userId, ''], [userId, '\uffff']).primaryKeys())
  return keys.map(([, key]) => key)
}

/** A value of the device, independent of who is signed in. */
export async function readDeviceValue(key: string): Promise<string | undefined> {
  return (await withDatabase(() => db.device.get(key)))?.value
}

export async function writeDeviceValue(key: string, value: string): Promise<void> {
  await withDatabase(() => db.device.put({ key, value }))
}

let ownId: string | undefined
/** of the database that this page began to use; undefined if the disk never took an id */
let ownStamp: string | undefined
let losses = 0
/** the value of `losses` when the id was last found on the disk */
let storedAt: number | undefined

databaseLost.subscribe(() => {
  losses += 1
})

/**
 * This device's random id. Each save carries it, so that the server knows a device's own earlier saves as seen. It is stored again after
 * the database was deleted: to the server, a page with another id is another device. Never rejects.
 */
export async function savesDeviceId(): Promise<string> {
  if (ownId !== undefined && storedAt === losses) return ownId
  const before = losses
  try {
    const stored = await withDatabase(storeId)
    // a page that has stored its id keeps it, even if another tab made a new database with an id of its own
    if (ownStamp === undefined) ({ id: ownId, stamp: ownStamp } = stored)
    storedAt = before
    if (answersDeviceId() !== undefined) storeAnswersDeviceId(stored.id)
  } catch {
    // a disk that takes no id
  }
  ownId ??= answersDeviceId() ?? crypto.randomUUID()
  return ownId
}

async function storeId(): Promise<{ id: string; stamp: string }> {
  return db.transaction('rw', db.device, async () => {
    const known = await stampedId()
    if (known) return known
    await db.device.add({ key: 'id', value: ownId ?? answersDeviceId() ?? crypto.randomUUID() })
    // tells the new database from the deleted one, which had the same id
    if (ownStamp !== undefined) await db.device.put({ key: 'mark', value: crypto.randomUUID() })
    const stored = await stampedId()
    if (!stored) throw new Error('the id that was just stored is missing')
    return stored
  })
}

/** The stored id, with a stamp that differs if the database was deleted and made anew. */
async function stampedId(): Promise<{ id: string; stamp: string } | undefined> {
  const [id, mark] = await db.device.bulkGet(['id', 'mark'])
  return id && { id: id.value, stamp: `${id.value} ${mark?.value ?? ''}` }
}

/**
 * Whether the database was deleted since this page began to use it: the present one has another stamp. False if the disk never
 * took an id. Rejects if the database cannot be read.
 */
export async function wasDeleted(): Promise<boolean> {
  await savesDeviceId()
  // a whole transaction: what a sign-out reads last must not hold the store of whoever signs in, if this page is frozen then
  const stored = await withDatabase(() => db.transaction('r', db.device, stampedId))
  return ownStamp !== undefined && stored?.stamp !== ownStamp
}

/** Uses the database that exists now as this page's own: the previous one's rows were those of a user who has signed out. */
export function adoptDatabase(): void {
  ownId = undefined
  ownStamp = undefined
}
