import { languages } from '#app/i18n/i18n.ts'
import type { Section } from '#contract/rules/questionnaire.ts'
import { loadDatabase } from './later.ts'
import { isClosed, withinPatience } from './patience.ts'
import type { InstanceRows } from './rows.ts'
import {
  DATABASE,
  DATABASE_VERSION,
  type InstanceKey,
  type StoredAnswer,
  type StoredDefinition,
  type StoredInstance,
  type StoredLate,
  type StoredReceipt,
} from './stored.ts'
import type { AnswerRow } from './sync.ts'

/**
 * What the first question reads of the device and what a tap writes, on the browser's own database. Dexie (db.ts) makes
 * that database and does all the rest; it comes after the first paint. docs/decisions/0015-the-first-question-without-dexie.md
 */

// Dexie's version 2 is 20 to the browser
const VERSION = DATABASE_VERSION * 10

declare global {
  interface Window {
    /** the boot script (app/boot.js) has begun to open the database */
    opening?: IDBOpenDBRequest
  }
}

let connection: Promise<IDBDatabase> | undefined
/** the same, once it is there */
let connected: IDBDatabase | undefined

/** The database in its present form; undefined where there is none yet. */
async function connect(): Promise<IDBDatabase | undefined> {
  connection ??= open().catch((error: unknown) => {
    connection = undefined
    throw error
  })
  try {
    return await connection
  } catch (error) {
    // we gave up making it: that is Dexie's
    if (error instanceof Error && error.name === 'AbortError') return undefined
    throw error
  }
}

async function open(): Promise<IDBDatabase> {
  const database = await requested()
  database.addEventListener('versionchange', () => {
    database.close()
    forget()
  })
  database.addEventListener('close', forget)
  if (database.version >= VERSION) {
    connected = database
    return database
  }
  database.close()
  await (await loadDatabase()).open()
  return open()
}

function forget(): void {
  connection = undefined
  connected = undefined
}

function requested(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = takeOpening() ?? opened()
    const settle = () => (request.error ? reject(request.error) : resolve(request.result))
    if (request.readyState === 'done') return settle()
    request.addEventListener('success', settle)
    request.addEventListener('error', settle)
  })
}

/** As it is: to make it, or bring it up, is Dexie's. */
function opened(): IDBOpenDBRequest {
  const request = indexedDB.open(DATABASE)
  request.addEventListener('upgradeneeded', () => request.transaction?.abort())
  return request
}

/** Not one that has failed: where there was no database when the page came, there may be one by now. */
function takeOpening(): IDBOpenDBRequest | undefined {
  const page = globalThis as typeof globalThis & Pick<Window, 'opening'>
  const { opening } = page
  delete page.opening
  return opening?.readyState === 'done' && opening.error ? undefined : opening
}

/** One piece of work on the database: opened again once if the browser closed it, given up after 3 s. */
async function atHand<T>(work: (database: IDBDatabase) => Promise<T>, isMade: boolean): Promise<T | undefined> {
  const attempt = async () => {
    let database = await connect()
    if (!database && isMade) {
      await (await loadDatabase()).open()
      database = await connect()
    }
    return database && work(database)
  }
  return withinPatience(
    attempt().catch((error: unknown) => {
      if (!isClosed(error)) throw error
      forget()
      return attempt()
    }),
  )
}

function answerOf<T>(request: IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result as T)) // of the form that db.ts declares
    request.addEventListener('error', () => reject(request.error ?? new Error('the device cannot be read')))
  })
}

function ofInstance({ userId, instanceId }: InstanceKey): IDBKeyRange {
  return IDBKeyRange.bound([userId, instanceId], [userId, instanceId, []])
}

export interface AtHand {
  instance: StoredInstance
  /** undefined: those in `known` are the same */
  sections: Section[] | undefined
  /** of the sections */
  language: string
  rows: InstanceRows
}

const STORES = ['instances', 'definitions', 'answers', 'receipts', 'late']

/**
 * An instance with its questions in this language or, better than nothing, another, and its answers: one look.
 * @param known what is on screen already need not be read again
 */
export function readInstance(
  key: InstanceKey,
  language: string,
  known?: { language: string; contentVersion: string },
): Promise<AtHand | undefined> {
  return atHand(async (database) => {
    const store = database.transaction(STORES, 'readonly')
    const all = <T>(name: string) => answerOf<T[]>(store.objectStore(name).getAll(ofInstance(key)))
    const definitionIn = (one: string) =>
      answerOf<StoredDefinition | undefined>(store.objectStore('definitions').get([key.userId, key.instanceId, one]))
    const [instance, hoped, answers, receipts, late] = await Promise.all([
      answerOf<StoredInstance | undefined>(store.objectStore('instances').get([key.userId, key.instanceId])),
      known?.language === language ? undefined : definitionIn(language),
      all<StoredAnswer>('answers'),
      all<StoredReceipt>('receipts'),
      all<StoredLate>('late'),
    ])
    const found = [language, ...languages].find((one) => instance?.languages.includes(one))
    if (!instance || found === undefined) return undefined
    const isKnown = known?.language === found && known.contentVersion === instance.contentVersion
    const definition = isKnown ? undefined : (hoped ?? (await definitionIn(found)))
    if (!isKnown && !definition) return undefined
    return { instance, sections: definition?.sections, language: found, rows: { answers, receipts, late } }
  }, false)
}

/** The rows of one instance alone. */
export async function readRows(key: InstanceKey): Promise<InstanceRows> {
  const rows = await atHand(async (database) => {
    const store = database.transaction(['answers', 'receipts', 'late'], 'readonly')
    const all = <T>(name: string) => answerOf<T[]>(store.objectStore(name).getAll(ofInstance(key)))
    const [answers, receipts, late] = await Promise.all([
      all<StoredAnswer>('answers'),
      all<StoredReceipt>('receipts'),
      all<StoredLate>('late'),
    ])
    return { answers, receipts, late }
  }, false)
  return rows ?? { answers: [], receipts: [], late: [] }
}

/** The tap before has begun its transaction: one that waits for the database to be made must not come after a later one. */
let begun: Promise<void> = Promise.resolve()
let waiting = 0

/** A tap: one row, one transaction with strict durability, in the order of the taps. Rejects when it is not on the disk. */
export async function keepAnswer(key: InstanceKey, row: AnswerRow): Promise<void> {
  // Begun before anything is awaited, or the disk would wait until the screen is painted anew.
  if (connected && waiting === 0) {
    try {
      return await withinPatience(write(connected, key, row))
    } catch (error) {
      if (!isClosed(error)) throw error
      forget()
    }
  }
  const before = begun
  let begin = () => {}
  begun = new Promise((resolve) => {
    begin = resolve
  })
  waiting += 1
  await withinPatience(before).catch(() => undefined)
  try {
    await atHand((database) => {
      const written = write(database, key, row)
      begin()
      return written
    }, true)
  } finally {
    waiting -= 1
    begin()
  }
}

function write(database: IDBDatabase, key: InstanceKey, row: AnswerRow): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction('answers', 'readwrite', { durability: 'strict' })
    const fail = () => reject(transaction.error ?? new Error('the answer was not written'))
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', fail)
    transaction.addEventListener('error', fail)
    transaction.objectStore('answers').put({ ...row, ...key })
  })
}
