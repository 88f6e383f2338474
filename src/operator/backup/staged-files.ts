import { cp, rm, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { isDiskFull } from '#server/disk-full.ts'
import { bringIn, KEPT, stagedAs } from '#server/db/unfinished-restore.ts'
import { makeFolder } from '#server/make-folder.ts'
import { EXIT, ExitError } from '../exit.ts'
import { IN_DATA_DIR } from './backup.ts'

interface StagedFiles {
  /** moves them into their places, where nothing remains except the heads of the audit log */
  bringIn: () => Promise<void>
  /** removes those that were not brought in */
  forget: () => Promise<void>
}

/** Copies files of DATA_DIR next to their place there, so that only renames are left once the database is restored. */
export async function stageFiles(folder: string, dataDir: string): Promise<StagedFiles> {
  const names: string[] = []
  const staged = (name: string) => stagedAs(dataDir, name)
  const forget = async () => {
    for (const name of IN_DATA_DIR) await rm(staged(name), { recursive: true, force: true })
  }
  try {
    // of a restore that was killed
    await forget()
    for (const name of IN_DATA_DIR) {
      if (!(await stat(join(folder, name)).catch(() => undefined))) continue
      await makeFolder(dataDir, 0o700)
      // a backup has none of its own: one that was put there would replace the evidence
      const isTaken = (path: string) => relative(folder, path) !== KEPT
      await cp(join(folder, name), staged(name), { recursive: true, filter: isTaken, preserveTimestamps: true })
      names.push(name)
    }
  } catch (error) {
    await forget()
    if (isDiskFull(error))
      throw new ExitError(`The disk of ${dataDir} is full: make room. Nothing was changed.`, EXIT.failed, { cause: error })
    throw error
  }
  return {
    forget,
    bringIn: async () => {
      for (const name of names) await bringIn(dataDir, name)
    },
  }
}
