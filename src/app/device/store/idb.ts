import { earlyStart } from '#app/early-start.ts'
import type { Section } from '#contract/rules/questionnaire.ts'
import { isClosed, DATABASE_TIMEOUT_MS, withDatabaseTimeout } from './database-timeout.ts'
import { isOlder, type InstanceRows } from '#app/sync/rows.ts'
import { deviceSchema, openDevice } from './schema.ts'
import { loadDexie } from './load-dexie.ts'
import { canOpenDatabase } from './lost-open.ts'
import { databaseLost } from './store-events.ts'
import type { StateBeforeFetch, InstanceKey, StoredAnswer, StoredDefinition, StoredInstance, StoredLate, StoredReceipt } from './stored.ts'
import type { AnswerRow } from '#app/sync/sync.ts'
import { bounded, resultOf } from '#app/ui/browser/transactions.ts'
import { LANGUAGES } from '#contract/languages.ts'
import { isOpen } from '#contract/rules/statuses.ts'

/**
 * What the first question reads and a tap writes, with plain IndexedDB; the database is created here if needed. Everything else
 * uses Dexie (db.ts), which loads after the first paint. docs/decisions/0015-the-first-question-without-dexie.md
 */

let connection: Promise<IDBDatabase> | undefined
/** the open connection */
let connected: IDBDatabase | undefined

/** The database at this version or a newer one. */
function connect(): Promise<IDBDatabase> {
  connection ??= open().catch((error: unknown) => {
    connection = undefined
    throw error
  })
  return connection
}

/** whether this page opened the database before */
let wasOpened = false

async function open(): Promise<IDBDatabase> {
  const request = takeOpenRequest() ?? openDevice(deviceSchema)
  const database = await openResult(request).catch(openOther)
  database.addEventListener('versionchange', ({ newVersion }) => {
    database.close()
    dropConnection()
    // deleted, by another tab or by hand
    if (newVersion === null) databaseLost.emit()
  })
  database.addEventListener('close', () => {
    dropConnection()
    databaseLost.emit()
  })
  // Not every browser reports that it deleted a database, and Dexie may have created it again already.
  if (wasOpened) databaseLost.emit()
  wasOpened = true
  connected = database
  return database
}

/** Opens another version: Dexie upgrades an older one; a newer one, made by a later app, is used as it is. */
async function openOther(error: unknown): Promise<IDBDatabase> {
  const { name } = error instanceof Error ? error : new Error('not an error')
  if (name === 'VersionError') return openResult(indexedDB.open(deviceSchema.name))
  if (name !== 'AbortError') throw error
  await (await loadDexie()).openDatabase()
  return openResult(openDevice(deviceSchema))
}

function dropConnection(): void {
  connection = undefined
  connected = undefined
}

function openResult(request: IDBOpenDBRequest): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const settle = () => (request.error ? reject(request.error) : resolve(request.result))
    if (request.readyState === 'done') return settle()
    request.addEventListener('success', settle)
    request.addEventListener('error', settle)
  })
}

/** Takes the request that the script in the page started, unless it failed: then a new one may succeed. */
function takeOpenRequest(): IDBOpenDBRequest | undefined {
  const opening = earlyStart()?.device
  delete earlyStart()?.device
  return opening?.readyState === 'done' && opening.error ? undefined : opening
}

/** Runs `work` on the database. Reopens it once if the browser closed it; rejects after `timeoutMs` (default 3 s). */
async function withDatabase<T>(work: (database: IDBDatabase) => Promise<T>, timeoutMs?: number): Promise<T> {
  const attempt = async () => work(await connect())
  try {
    return await withDatabaseTimeout(
      attempt().catch((error: unknown) => {
        if (!isClosed(error)) throw error
        dropConnection()
        return attempt()
      }),
      timeoutMs,
    )
  } catch (error) {
    if (connection && !connected) void dropLostConnection(connection)
    throw error
  }
}

/** If the browser lost the request to open the database, the next use makes a new one. */
async function dropLostConnection(opening: Promise<IDBDatabase>): Promise<void> {
  if ((await canOpenDatabase()) && !connected && connection === opening) dropConnection()
}

function ofInstance({ userId, instanceId }: InstanceKey): IDBKeyRange {
  return IDBKeyRange.bound([userId, instanceId], [userId, instanceId, []])
}

/** All of an instance in the object store of this name. */
function rowsIn<T>(transaction: IDBTransaction, name: string, key: InstanceKey): Promise<T[]> {
  return resultOf<T[]>(transaction.objectStore(name).getAll(ofInstance(key)))
}

interface StoredQuestionnaire {
  instance: StoredInstance
  /** undefined: those in `known` are the same */
  sections: Section[] | undefined
  /** of the sections */
  language: string
  rows: InstanceRows
}

const STORES = ['instances', 'definitions', 'answers', 'receipts', 'late']

/**
 * Reads an instance, its questions in this language, else in another, and its answers in one transaction. Undefined if the
 * instance or its questions are not stored; rejects if the database cannot be read.
 * @param known the sections that the caller already has: they are not read again
 */
export function readQuestionnaire(
  key: InstanceKey,
  language: string,
  known?: { language: string; contentVersion: string },
): Promise<StoredQuestionnaire | undefined> {
  return withDatabase(async (database) => {
    const transaction = bounded(database.transaction(STORES, 'readonly'))
    const definitionIn = (one: string) =>
      resultOf<StoredDefinition | undefined>(transaction.objectStore('definitions').get([key.userId, key.instanceId, one]))
    const [instance, preferred, definitions, answers, receipts, late] = await Promise.all([
      resultOf<StoredInstance | undefined>(transaction.objectStore('instances').get([key.userId, key.instanceId])),
      known?.language === language ? undefined : definitionIn(language),
      resultOf(transaction.objectStore('definitions').getAllKeys(ofInstance(key)) as IDBRequest<string[][]>), // as schema.ts declares
      rowsIn<StoredAnswer>(transaction, 'answers', key),
      rowsIn<StoredReceipt>(transaction, 'receipts', key),
      rowsIn<StoredLate>(transaction, 'late', key),
    ])
    const isStored = (one: string) => definitions.some(([, , stored]) => stored === one)
    const found = [language, ...LANGUAGES].find(isStored)
    if (!instance || found === undefined) return undefined
    const isKnown = known?.language === found && known.contentVersion === instance.contentVersion
    const definition = isKnown ? undefined : (preferred ?? (await definitionIn(found)))
    if (!isKnown && !definition) return undefined
    return { instance, sections: definition?.sections, language: found, rows: { answers, receipts, late } }
  })
}

/** For `storeInstance` and `discardUnsent`; to be called before the request. Comparing times would not do, as a device's clock may jump. Never rejects. */
export async function stateBeforeFetch({ userId, instanceId }: InstanceKey): Promise<StateBeforeFetch> {
  const at = Date.now()
  try {
    const stored = await withDatabase((database) =>
      resultOf<StoredInstance | undefined>(
        bounded(database.transaction('instances', 'readonly')).objectStore('instances').get([userId, instanceId]),
      ),
    )
    return { at, hadEnded: stored !== undefined && !isOpen(stored.summary.status), revision: stored?.summary.revision ?? 0 }
  } catch {
    return { at, hadEnded: false }
  }
}

/** Reads the rows of one instance. Rejects if the database cannot be read. */
export async function readRows(key: InstanceKey): Promise<InstanceRows> {
  return (await readRowsAndPresence(key)).rows
}

/** The same; undefined if the instance is not stored, so that rows may be missing which the disk had before it lost them. */
export async function readRowsIfStored(key: InstanceKey): Promise<InstanceRows | undefined> {
  const { isStored, rows } = await readRowsAndPresence(key)
  return isStored ? rows : undefined
}

function readRowsAndPresence(key: InstanceKey): Promise<{ isStored: boolean; rows: InstanceRows }> {
  return withDatabase(async (database) => {
    const transaction = bounded(database.transaction(['instances', 'answers', 'receipts', 'late'], 'readonly'))
    const [instances, answers, receipts, late] = await Promise.all([
      resultOf(transaction.objectStore('instances').count([key.userId, key.instanceId])),
      rowsIn<StoredAnswer>(transaction, 'answers', key),
      rowsIn<StoredReceipt>(transaction, 'receipts', key),
      rowsIn<StoredLate>(transaction, 'late', key),
    ])
    return { isStored: instances > 0, rows: { answers, receipts, late } }
  })
}

/** Resolves when the previous tap's transaction has started, so that taps are written in order while the database is being opened. */
let previousWrite: Promise<void> = Promise.resolve()
/** taps that wait for the database to be opened */
let waitingWrites = 0
/** all taps that are not on the disk yet */
let unwrittenAnswers = 0
/** One deadline for all unwritten taps, set by the first: the player is told after 3 s, however many follow. */
let deadline = 0

const timeLeft = () => Math.max(deadline - performance.now(), 0)

/**
 * Writes one answer in a transaction of its own with strict durability; calls are written in order.
 * Resolves when it, or a newer edit of another tab, is on the disk; rejects if it could not be written, at the latest after 3 s.
 * @param isNew the tap is happening now: only then is it certainly the newest, and written before this returns
 */
export async function writeAnswer(key: InstanceKey, row: AnswerRow, isNew = true): Promise<void> {
  if (unwrittenAnswers === 0) deadline = performance.now() + DATABASE_TIMEOUT_MS
  unwrittenAnswers += 1
  try {
    await writeInOrder(key, row, isNew)
  } finally {
    unwrittenAnswers -= 1
  }
}

async function writeInOrder(key: InstanceKey, row: AnswerRow, isNew: boolean): Promise<void> {
  // Started before any await: otherwise the write would begin only after the next paint.
  if (isNew && connected && waitingWrites === 0) {
    try {
      return await withDatabaseTimeout(write(connected, key, row), timeLeft())
    } catch (error) {
      if (!isClosed(error)) throw error
      dropConnection()
    }
  }
  const before = previousWrite
  let allowNext = () => {}
  previousWrite = new Promise((resolve) => {
    allowNext = resolve
  })
  waitingWrites += 1
  try {
    await withDatabaseTimeout(before, timeLeft())
    const startWrite = (database: IDBDatabase) => {
      const written = writeUnlessOlder(database, key, row)
      allowNext()
      return written
    }
    await withDatabase(startWrite, timeLeft())
  } finally {
    waitingWrites -= 1
    allowNext()
  }
}

/** Runs `work`, which writes and commits, in a transaction on the answers. Resolves when it is on the disk. */
function inWriteTransaction(
  database: IDBDatabase,
  work: (transaction: IDBTransaction, answers: IDBObjectStore, fail: (error: unknown) => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction('answers', 'readwrite', { durability: 'strict' })
    const fail = (error: unknown = transaction.error) => reject(error instanceof Error ? error : new Error('the answer was not written'))
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => fail())
    transaction.addEventListener('error', () => fail())
    work(transaction, transaction.objectStore('answers'), fail)
  })
}

function write(database: IDBDatabase, key: InstanceKey, row: AnswerRow): Promise<void> {
  return inWriteTransaction(database, (transaction, answers) => {
    answers.put({ ...row, ...key })
    // a transaction that commits by itself is aborted with its page, reloaded or closed right after the tap. ANSWERS-1
    transaction.commit()
  })
}

/** Writes it unless the disk has a newer edit: another tab may have been faster. */
function writeUnlessOlder(database: IDBDatabase, key: InstanceKey, row: AnswerRow): Promise<void> {
  return inWriteTransaction(database, (transaction, answers, fail) => {
    bounded(transaction)
    const stored: IDBRequest<StoredAnswer | undefined> = answers.get([key.userId, key.instanceId, row.questionId])
    stored.addEventListener('success', () => {
      // an exception in a listener would reject nothing
      try {
        if (!isOlder(row, stored.result)) answers.put({ ...row, ...key })
        transaction.commit()
      } catch (error) {
        fail(error)
        transaction.abort()
      }
    })
  })
}
