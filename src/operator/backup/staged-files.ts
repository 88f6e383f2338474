import { cp, mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { isDiskFull } from '#server/disk-full.ts'
import { KEPT } from '#server/db/unfinished-restore.ts'
import { EXIT, ExitError } from '../exit.ts'
import { IN_DATA_DIR } from './backup.ts'

/** What a backup has for DATA_DIR besides the embedded database. */
export async function listFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return IN_DATA_DIR.filter((name) => names.includes(name))
}

/** Copies that into a folder in DATA_DIR, so that only renames are left once the database is restored. Resolves to whether there is any. */
export async function stageFiles(folder: string, staging: string): Promise<boolean> {
  const names = await listFiles(folder)
  try {
    for (const name of names) {
      await mkdir(staging, { recursive: true, mode: 0o700 })
      // a backup has none of its own: one that was put there would replace the evidence
      const isTaken = (path: string) => relative(folder, path) !== KEPT
      await cp(join(folder, name), join(staging, name), { recursive: true, filter: isTaken, preserveTimestamps: true })
    }
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    if (isDiskFull(error))
      throw new ExitError(`The disk of ${dirname(staging)} is full: make room. Nothing was changed.`, EXIT.failed, { cause: error })
    throw error
  }
  return names.length > 0
}
