import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * What a restore of the embedded database has in DATA_DIR while it is under way. `postgres.restoring` is there from the first file on until
 * the restored database is complete and takes the place; `postgres.before` from then on until all other files have theirs, too.
 */

const POSTGRES = 'postgres'
const STAGED = '.restoring'

export const placesOf = (dataDir: string) => ({
  place: join(dataDir, POSTGRES),
  part: join(dataDir, POSTGRES + STAGED),
  before: join(dataDir, `${POSTGRES}.before`),
})

/** Where a file or folder that belongs into DATA_DIR waits there. */
export const stagedAs = (dataDir: string, name: string) => join(dataDir, name + STAGED)

const exists = async (path: string) => (await stat(path).catch(() => undefined)) !== undefined

/** Puts the complete database of `postgres.restoring` into its place: from then on the restore is finished, and not taken back. */
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
  const names = await readdir(dataDir)
  const staged = names.filter((name) => name.endsWith(STAGED)).map((name) => name.slice(0, -STAGED.length))
  const files = staged.filter((name) => name !== POSTGRES)
  const isMarked = await exists(before)
  const isDone = isMarked && (await exists(place)) && !(await exists(part))
  if (isMarked && !(await exists(place))) await rename(before, place)
  for (const name of files) {
    if (isDone) {
      await rm(join(dataDir, name), { recursive: true, force: true })
      await rename(stagedAs(dataDir, name), join(dataDir, name))
    } else await rm(stagedAs(dataDir, name), { recursive: true, force: true })
  }
  // last: they are the marks by which a settling that is killed itself goes on
  await rm(part, { recursive: true, force: true })
  // beside a database to which nothing was to follow, it may be an operator's own copy
  if (staged.length > 0) await rm(before, { recursive: true, force: true })
}
