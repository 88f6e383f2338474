import { noteRestore } from '#server/audit/restored-store.ts'
import { noteUpgrade } from '#server/audit/upgraded.ts'
import { isDiskFull } from '#server/disk-full.ts'
import { migrate, readSchemaState, rehearse } from '#server/db/migrate.ts'
import { refusalOf } from '#server/db/failures.ts'
import { warnOfErasedPeople } from '../erased-people.ts'
import { EXIT, ExitError, textOf } from '../exit.ts'
import type { Tool } from '../tool.ts'
import { backup, type BackupOptions } from './backup.ts'
import { openInstallation, requireData, requireOurKey, settingsOf } from './installation.ts'

/** `touchline upgrade`: brings the database to this build's schema, all or nothing, after a backup. */

interface UpgradeOptions extends BackupOptions {
  /** runs the migrations and rolls them back */
  isRehearsal: boolean
  hasBackup: boolean
}

export interface Upgraded {
  /** names of those that were to run */
  migrations: string[]
  isUpgraded: boolean
  /** folder of the backup that was made before; null: none */
  backup: string | null
}

export async function upgrade(tool: Tool, { isRehearsal, hasBackup, ...options }: UpgradeOptions): Promise<Upgraded> {
  const env = settingsOf(tool)
  await requireData(env, 'upgrade')
  const pending = await withDatabase(async ({ db, withoutTimeouts }) => {
    const { applied, pending: names, newer, refusal, isForeign } = await readSchemaState(db)
    if (isForeign) throw new ExitError('DATABASE_URL has tables of another program, and none of ours: name a database of its own.')
    await requireOurKey(db)
    if (refusal !== undefined) throw new ExitError(`${refusal} Nothing was changed.`)
    if (names.length > 0) tool.warn(`To run: ${names.join(', ')}.`)
    else tool.warn(newer.length > 0 ? furtherUpgraded(newer) : 'The database is that of this build.')
    if (names.length === 0) await warnOfErasedPeople(tool, db)
    if (isRehearsal) await rehearse(withoutTimeouts).catch(refuse)
    return { names, isNew: applied.length === 0 }
  })
  const migrations = pending.names
  if (isRehearsal || (migrations.length === 0 && !pending.isNew)) return { migrations, isUpgraded: false, backup: null }
  const made = hasBackup && !pending.isNew ? (await backup(tool, options)).folder : null
  if (made !== null) tool.warn(`Backup: ${made}`)
  await withDatabase(async (database) => {
    const newer = await migrate(database.withoutTimeouts, undefined, noteUpgrade('tool', tool.now)).catch(refuse)
    await noteRestore(database, tool.now())
    await warnOfErasedPeople(tool, database.db)
    if (newer.length > 0) tool.warn(furtherUpgraded(newer))
  })
  return { migrations, isUpgraded: true, backup: made }

  async function withDatabase<T>(work: (database: Awaited<ReturnType<typeof openInstallation>>) => Promise<T>): Promise<T> {
    const database = await openInstallation(env)
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  }
}

const furtherUpgraded = (newer: readonly string[]) =>
  `A newer build has upgraded it further, and this one still works with it: ${newer.join(', ')}.`

function refuse(error: unknown): never {
  if (isDiskFull(error))
    throw new ExitError('The disk of the database is full: make room. Nothing was changed.', EXIT.failed, { cause: error })
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${textOf(error.cause)})` : ''
  throw new ExitError(`${refusalOf(error) ?? `${textOf(error)}${cause}`} Nothing was changed.`, EXIT.failed, { cause: error })
}
