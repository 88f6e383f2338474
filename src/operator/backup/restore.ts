import { join } from 'node:path'
import { compareRestored, noteRestore } from '#server/audit/restored-store.ts'
import { noteUpgrade } from '#server/audit/upgraded.ts'
import { findUnknown, migrate } from '#server/db/migrate.ts'
import type { OpenDatabase } from '#server/db/open.ts'
import type { Env } from '#server/env.ts'
import { MediaError } from '#server/outside/media.ts'
import { s3Media } from '#server/outside/media-s3.ts'
import { exists } from '#server/exists.ts'
import { ExitError } from '../exit.ts'
import type { Tool } from '../tool.ts'
import { IN_DATA_DIR } from './backup.ts'
import { openInstallation, settingsOf } from './installation.ts'
import { warnOfErasedPeople } from '../erased-people.ts'
import { describeAuditGap } from '../audit-gap.ts'
import { differentKeys, readBackup, type Manifest } from './manifest.ts'
import { sayReplaced, type RestoreOptions } from './restore-options.ts'
import { restorePostgres } from './restore-postgres.ts'
import { restoreEmbedded } from './restore-embedded.ts'

/** `touchline restore`: puts a backup into an empty database, all or nothing, and brings it to this build's schema. */

/** Resolves to when the backup was made, and whether it was restored. */
export async function restore(tool: Tool, folder: string, options: RestoreOptions): Promise<{ at: string; isRestored: boolean }> {
  const env = settingsOf(tool)
  const manifest = await readBackup(folder)
  const unknown = await findUnknown(manifest.migrations)
  if (unknown.length > 0)
    throw new ExitError(
      `${folder} was made by a newer release of Touchline: ${unknown.join(', ')} is unknown here. Restore it with that release.`,
    )
  requireEngine(manifest, env, folder)
  await refuseOtherData(env, manifest, options)
  const restored = { backupAt: manifest.at, begunAt: tool.now().toISOString() }
  if (manifest.engine === 'postgres') await restorePostgres(env, manifest, folder, { ...options, restored })
  else await restoreEmbedded(env, manifest, folder, { ...options, restored })
  if (options.check) return { at: manifest.at, isRestored: false }
  await finish(tool, env, manifest).catch(sayReplaced)
  return { at: manifest.at, isRestored: true }
}

function requireEngine({ engine }: Manifest, { databaseUrl }: Env, folder: string): void {
  if (engine === 'postgres' && databaseUrl === undefined)
    throw new ExitError(`${folder} comes from PostgreSQL: set DATABASE_URL to an empty database to restore it into.`)
  if (engine === 'embedded' && databaseUrl !== undefined)
    throw new ExitError(`${folder} comes from an embedded database: unset DATABASE_URL, and set DATA_DIR to the folder to restore it into.`)
}

/** What is in DATA_DIR belongs to somebody, too. */
async function refuseOtherData({ dataDir }: Env, { files }: Manifest, { replace }: RestoreOptions): Promise<void> {
  if (replace) return
  for (const name of IN_DATA_DIR) {
    const isInBackup = files.some((file) => file.name.split('/')[0] === name)
    if (isInBackup && (await exists(join(dataDir, name))))
      throw new ExitError(`DATA_DIR (${dataDir}) has ${name} already: name an empty folder, or use --replace to delete what is there.`)
  }
}

/** Migrates what was restored to this build's schema and writes that into its audit log, as a start of the server would. */
async function finish(tool: Tool, env: Env, manifest: Manifest): Promise<void> {
  const database = await openInstallation(env)
  try {
    await migrate(database.withoutTimeouts, undefined, noteUpgrade('tool', tool.now))
    await noteRestore(database, tool.now())
    if (env.s3) await compareLog(tool, database, env.s3)
    for (const sentence of differentKeys(manifest.keys, database.keys)) tool.warn(sentence)
    for (const sentence of manifest.elsewhere) tool.warn(sentence)
    await warnOfErasedPeople(tool, database.db)
  } finally {
    await database.close()
  }
}

/** Without a bucket the first sweep of the server compares. */
async function compareLog(tool: Tool, { db }: OpenDatabase, s3: NonNullable<Env['s3']>): Promise<void> {
  try {
    const lacking = await compareRestored(db, s3Media(s3), tool.now())
    if (lacking) tool.warn(`${describeAuditGap(lacking)} It is in the audit log now, and doctor names it.`)
  } catch (error) {
    if (!(error instanceof MediaError)) throw error
    tool.warn(`The bucket ${s3.bucket} does not reply: the server will compare the audit log within an hour.`)
  }
}
