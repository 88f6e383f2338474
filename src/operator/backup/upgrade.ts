import { migrate, readSchemaState, rehearse } from '#server/db/migrate.ts'
import { Stop, textOf } from '../stop.ts'
import type { Tool } from '../tool.ts'
import { backup, type BackupOptions } from './backup.ts'
import { noteAct, openInstallation, settingsOf } from './installation.ts'

/** `touchline upgrade`: brings the database to this build's schema, all or nothing, after a backup. */

interface UpgradeOptions extends BackupOptions {
  /** runs the migrations and rolls them back */
  isRehearsal: boolean
  hasBackup: boolean
}

export async function upgrade(tool: Tool, { isRehearsal, hasBackup, ...options }: UpgradeOptions): Promise<void> {
  const env = settingsOf(tool)
  const pending = await withDatabase(async ({ db, withoutTimeouts }) => {
    const { applied, pending: names, isForeign } = await readSchemaState(db)
    if (isForeign) throw new Stop('DATABASE_URL has tables of another program, and none of ours: name a database of its own.')
    tool.warn(names.length === 0 ? 'The database is that of this build.' : `To run: ${names.join(', ')}.`)
    if (isRehearsal) {
      await rehearse(withoutTimeouts).catch(refuse)
      tool.say('Everything ran and was rolled back: nothing was changed.')
    }
    return { names, isNew: applied.length === 0 }
  })
  if (isRehearsal || (pending.names.length === 0 && !pending.isNew)) {
    if (!isRehearsal) tool.say('Nothing to do.')
    return
  }
  if (hasBackup && !pending.isNew) tool.warn(`Backup: ${(await backup(tool, options)).folder}`)
  await withDatabase(async (database) => {
    const newer = await migrate(database.withoutTimeouts).catch(refuse)
    await noteAct(database, `tool upgrade ${pending.names.at(-1) ?? ''}`.trim(), tool.now())
    if (newer.length > 0) tool.warn(`A newer build has upgraded it further, and this one still works with it: ${newer.join(', ')}.`)
  })
  tool.say(`Upgraded: ${pending.names.join(', ')}. The server of this build can be started.`)

  async function withDatabase<T>(work: (database: Awaited<ReturnType<typeof openInstallation>>) => Promise<T>): Promise<T> {
    const database = await openInstallation(env)
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  }
}

function refuse(error: unknown): never {
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ''
  throw new Stop(`${textOf(error)}${cause} Nothing was changed.`, 1, { cause: error })
}
