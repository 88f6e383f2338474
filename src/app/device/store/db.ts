import { Dexie, type Table, type Transaction } from 'dexie'
import type { Section } from '#contract/rules/questionnaire.ts'
import { isClosed, withDatabaseTimeout } from './database-timeout.ts'
import { canOpenDatabase } from './lost-open.ts'
import { DATABASE, versions } from './schema.ts'
import type { StoredAnswer, StoredDefinition, StoredInstance, StoredLate, StoredOperation, StoredRead, StoredReceipt } from './stored.ts'
import { databaseLost, instanceStored } from './store-events.ts'
import { bounded } from '#app/ui/browser/transactions.ts'

/** The database as Dexie sees it, with its upgrades. Versions: schema.ts. Row types: stored.ts. */
class DeviceDatabase extends Dexie {
  declare instances: Table<StoredInstance, [string, string]>
  declare definitions: Table<StoredDefinition, [string, string, string]>
  declare answers: Table<StoredAnswer, [string, string, string]>
  declare receipts: Table<StoredReceipt, [string, string, string]>
  declare late: Table<StoredLate, [string, string, string]>
  declare operations: Table<StoredOperation, [string, string]>
  declare reads: Table<StoredRead, [string, string]>
  declare device: Table<{ key: string; value: string }, string>

  constructor() {
    // strict: a committed answer is on the disk, not in an operating system buffer
    super(DATABASE, { chromeTransactionDurability: 'strict' })
    const [first, second] = versions
    this.version(1).stores(first)
    this.version(2).stores(second).upgrade(moveDefinitions)
  }
}

/** Version 1 had the questions in the instance's own row. */
async function moveDefinitions(transaction: Transaction): Promise<void> {
  const instances = transaction.table<StoredInstance & { definitions?: Record<string, Section[]> }>('instances')
  for (const { definitions = {}, ...instance } of await instances.toArray()) {
    const { userId, instanceId } = instance
    const rows = Object.entries(definitions).map(([language, sections]) => ({ userId, instanceId, language, sections }))
    await transaction.table<StoredDefinition>('definitions').bulkPut(rows)
    await instances.put({ ...instance, languages: Object.keys(definitions) })
  }
}

export const db = new DeviceDatabase()
db.use({
  stack: 'dbcore',
  name: 'bounded',
  create: (core) => ({
    ...core,
    // Dexie's type has only what its middleware may need
    transaction: (...given) => bounded(core.transaction(...given) as IDBTransaction),
  }),
})
// deleted by another tab or by hand: answers on screen may be the only copy
db.on('versionchange', ({ newVersion }) => {
  if (newVersion === null) databaseLost.emit()
})
// once it is committed: a full disk aborts it, and each event causes calls to the server
db.instances.hook('creating', (_key, _row, transaction) => transaction.on('complete', () => instanceStored.emit()))

/** Opens the database, upgrading an older version. */
export async function openDatabase(): Promise<void> {
  await db.open()
}

/** Runs `work` on the database. Reopens it once if the browser closed it; rejects after 3 s. */
export async function withDatabase<T>(work: () => Promise<T>): Promise<T> {
  let isLate = true
  const working = attempt(work).finally(() => {
    isLate = false
  })
  try {
    return await withDatabaseTimeout(working)
  } catch (error) {
    if (isLate && !db.isOpen()) void replaceLostOpen()
    throw error
  }
}

async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isClosed(error)) throw error
    await reopen()
    return work()
  }
}

/** Within a transaction, which it aborts: the rows' owner has signed out since their read began. */
export function refuseIf(isLeft: boolean): void {
  if (isLeft) throw new Error('not stored: whoever it is of has signed out')
}

let reopening: Promise<unknown> | undefined

/** Closes and opens the database, once for all callers: closing it for each would abort the work of the others. */
function reopen(): Promise<unknown> {
  reopening ??= closeAndOpen().finally(() => {
    reopening = undefined
  })
  return reopening
}

async function closeAndOpen(): Promise<void> {
  db.close({ disableAutoOpen: false })
  await db.open()
}

let replacing: Promise<void> | undefined

/** Opens the database anew if the browser lost the request that everything waits for. Never rejects. */
function replaceLostOpen(): Promise<void> {
  replacing ??= replace()
    .catch((error: unknown) => console.warn('The device database could not be opened anew', error))
    .finally(() => {
      replacing = undefined
    })
  return replacing
}

async function replace(): Promise<void> {
  if (!(await canOpenDatabase()) || db.isOpen()) return
  const lost = db.open()
  // calls that wait for the lost request fail with a closed database, and are retried (attempt)
  db.close()
  await lost.catch(() => undefined)
  await reopen()
}
