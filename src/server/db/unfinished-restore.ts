import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { holdLock } from './lock.ts'
import { MIGRATION_LOCK } from './migrate.ts'
import { readRestoreMark, type RestoreTimes } from './restore-mark.ts'
import { exists } from '../exists.ts'

/**
 * What a running restore has in DATA_DIR, whose lock it holds. The other files wait in a folder that is named by when it began. Of the
 * embedded database, `postgres.restoring` exists from the first file until
 * the restored database is complete and is moved into its place; `postgres.before` from then until all other files are in their place, too. In the
 * restored database itself is a mark until the restore is in the audit log (restore-mark.ts), and beside an embedded one's files another,
 * which is read without opening it.
 */

const POSTGRES = 'postgres'
const STAGED = '.restoring'

/** Whoever holds it is alone with DATA_DIR. */
export const lockOf = (dataDir: string) => join(dataDir, 'lock.sqlite')

export const placesOf = (dataDir: string) => ({
  place: join(dataDir, POSTGRES),
  part: join(dataDir, POSTGRES + STAGED),
  before: join(dataDir, `${POSTGRES}.before`),
})

const MARK = 'touchline-restored'

/** Marks an embedded database as restored. @param folder of its files */
export async function markFiles(folder: string): Promise<void> {
  await writeFile(join(folder, MARK), '')
}

/** Removes the mark. Called once the restore is in the audit log. */
export async function unmarkFiles(folder: string): Promise<void> {
  await rm(join(folder, MARK), { force: true })
}

/** Whether the embedded database was restored, and its audit log does not say so yet. */
export const isRestoreUnnoted = (dataDir: string) => exists(join(placesOf(dataDir).place, MARK))

/** The folder in which a restore has files before they are moved to their places in DATA_DIR. */
export const stagingOf = (dataDir: string, { begunAt }: RestoreTimes) => join(dataDir, begunAt.replaceAll(':', '-') + STAGED)

/** The heads of the audit log as the running system had them: evidence against whoever restores, and in no backup. */
export const KEPT = join('media', 'audit')

/** Moves the complete database of `postgres.restoring` into its place: from then on the restore is finished, never undone. */
export async function takePlace(dataDir: string): Promise<void> {
  const { place, part, before } = placesOf(dataDir)
  // also where there was no database, as the mark of a restore whose files must follow
  await ((await exists(place)) ? rename(place, before) : mkdir(before))
  await rename(part, place)
}

/**
 * Ends a restore that was killed, all or nothing: before the restored database had its place, all is as it was; afterwards the other
 * files follow it. The caller holds the lock of DATA_DIR.
 */
export async function settleRestore(dataDir: string): Promise<void> {
  const { place, part, before } = placesOf(dataDir)
  const staged = await stagedIn(dataDir)
  const isMarked = await exists(before)
  const isDone = isMarked && (await exists(place)) && !(await exists(part))
  if (isMarked && !(await exists(place))) await rename(before, place)
  for (const staging of staged.filter((path) => path !== part)) {
    if (isDone) await bringIn(dataDir, staging)
    else await rm(staging, { recursive: true, force: true })
  }
  // last: by these marks a cleanup that was killed itself is resumed
  await rm(part, { recursive: true, force: true })
  // beside a database that was not restored, it may be an operator's own copy
  if (staged.length > 0 || (isDone && (await isRestoreUnnoted(dataDir)))) await rm(before, { recursive: true, force: true })
}

async function stagedIn(dataDir: string): Promise<string[]> {
  // in production there may be no such folder
  const names = (await exists(dataDir)) ? await readdir(dataDir) : []
  return names.filter((name) => name.endsWith(STAGED)).map((name) => join(dataDir, name))
}

/** Moves staged files and folders into their places, where nothing remains except what is never restored. */
export async function bringIn(dataDir: string, staging: string): Promise<void> {
  for (const name of await readdir(staging)) await moveIn(dataDir, join(staging, name), name)
  await rm(staging, { recursive: true })
}

async function moveIn(dataDir: string, staged: string, name: string): Promise<void> {
  const place = join(dataDir, name)
  const kept = join(dataDir, KEPT)
  if (KEPT.startsWith(name + sep) && (await exists(kept))) {
    const to = join(staged, relative(name, KEPT))
    await rm(to, { recursive: true, force: true })
    await rename(kept, to)
  }
  await rm(place, { recursive: true, force: true })
  await rename(staged, place)
}

/**
 * Moves in the files staged by a restore into a PostgreSQL that was killed once the database was restored, and removes those of others.
 * @throws LockHeld, or RestoreUnderWay, if a restore is running
 */
export async function bringInRestored(db: Database, dataDir: string): Promise<void> {
  if ((await stagedIn(dataDir)).length === 0) return
  const release = holdLock(lockOf(dataDir))
  try {
    await settleFiles(db, dataDir)
  } finally {
    release()
  }
}

/**
 * The same for who has the lock of DATA_DIR.
 * @throws RestoreUnderWay if the database is still restored: psql goes on when the tool that started it is killed
 */
export async function settleFiles(db: Database, dataDir: string): Promise<void> {
  if ((await stagedIn(dataDir)).length === 0) return
  await db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ isFree: boolean }>(sql`select pg_try_advisory_xact_lock(${MIGRATION_LOCK}::bigint) as "isFree"`)
    if (!rows[0]?.isFree) throw new RestoreUnderWay()
    const mark = await readRestoreMark(tx)
    // once the restore is in the log, what is still staged belongs to another one
    const own = mark && !mark.heads ? stagingOf(dataDir, mark) : undefined
    for (const staging of await stagedIn(dataDir)) {
      if (staging === own) await bringIn(dataDir, staging)
      else await rm(staging, { recursive: true, force: true })
    }
  })
}

class RestoreUnderWay extends Error {
  constructor() {
    super('Another restore or upgrade is under way in this database. Wait for it. Nothing was changed.')
  }
}

/** Whether a restore has left something in DATA_DIR: files are staged, or the embedded database is moved away. */
export async function isRestoreUnfinished(dataDir: string): Promise<boolean> {
  const { place, before } = placesOf(dataDir)
  return (await stagedIn(dataDir)).length > 0 || ((await exists(before)) && !(await exists(place)))
}
