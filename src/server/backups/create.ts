import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { backupsForOperator } from '#contract/backups.operator.ts'
import { HOUR_MS } from '#contract/rules/dates.ts'
import { makeFolder } from '../make-folder.ts'
import type { Handler } from '../http/handler.ts'
import { listMigrations } from './store.ts'

/** Saves go on while the copy is written: it is of one moment between two statements. */
export const create: Handler<typeof backupsForOperator.create> = async ({ refuse, deps }) => {
  if (!deps.embedded) return refuse('DATABASE_ELSEWHERE')
  const { copyFiles, folder } = deps.embedded
  const migrations = await listMigrations(deps.db)
  const file = resolve(folder, `${randomUUID()}.tar.gz`)
  try {
    await makeFolder(folder, 0o700)
    await removeLeft(folder)
    const copy = await copyFiles()
    await pipeline(copy.stream(), createGzip({ level: 1 }), createWriteStream(file, { flags: 'wx', mode: 0o600 }))
    return { file, unpackedBytes: copy.size, migrations }
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}

// longer than the tool takes to fetch one
const LEFT_AFTER_MS = HOUR_MS

/** Removes the copies of backups that were killed before they had fetched and removed them. */
async function removeLeft(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    // another backup may remove its own meanwhile
    const found = await stat(path).catch(() => undefined)
    if (found && name.endsWith('.tar.gz') && Date.now() - found.mtimeMs > LEFT_AFTER_MS) await rm(path, { force: true })
  }
}
