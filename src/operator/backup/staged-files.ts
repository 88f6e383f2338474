import { cp, mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDiskFull } from '#server/disk-full.ts'
import { stagedAs } from '#server/db/unfinished-restore.ts'
import { EXIT, Stop } from '../stop.ts'
import { IN_DATA_DIR } from './backup.ts'

interface StagedFiles {
  /** puts them into their places, in which nothing stays */
  bringIn: () => Promise<void>
  /** removes those that were not brought in */
  forget: () => Promise<void>
}

/** Copies what belongs into DATA_DIR beside its place there, so that nothing but renames is left once the database is restored. */
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
      await mkdir(dataDir, { recursive: true, mode: 0o700 })
      await cp(join(folder, name), staged(name), { recursive: true, preserveTimestamps: true })
      names.push(name)
    }
  } catch (error) {
    await forget()
    if (isDiskFull(error)) throw new Stop(`The disk of ${dataDir} is full: make room. Nothing was changed.`, EXIT.failed, { cause: error })
    throw error
  }
  return {
    forget,
    bringIn: async () => {
      for (const name of names) {
        await rm(join(dataDir, name), { recursive: true, force: true })
        await rename(staged(name), join(dataDir, name))
      }
    },
  }
}
