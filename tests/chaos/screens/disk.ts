import { IDBObjectStore, IDBTransaction, IDBVersionChangeEvent } from 'fake-indexeddb'

/** What fake-indexeddb does not have of a real disk: that it is full, and that a browser closes it under an open page. */

/**
 * The disk is one for all phones of a history. fake-indexeddb has no quota, so a transaction that writes is aborted at its commit.
 * `isNearlyFull`: an answer fits, the questions do not. `takesAnswersOnly`: nor does their assessment without them.
 */
export const disk = { isFull: false, isNearlyFull: false, takesAnswersOnly: false }
const doomed = new WeakSet<object>()
for (const name of ['put', 'add'] as const) {
  const original = IDBObjectStore.prototype[name]
  IDBObjectStore.prototype[name] = function write(this: IDBObjectStore, ...given: [unknown, IDBValidKey?]) {
    const isTooLarge = (disk.isNearlyFull && this.name === 'definitions') || (disk.takesAnswersOnly && this.name === 'instances')
    if (disk.isFull || isTooLarge) doomed.add(this.transaction)
    return original.apply(this, given)
  }
}
export interface RawTransaction {
  db: RawConnection
  mode: string
  _started: boolean
  _state: string
  _requests: { request: { readyState: string } }[]
  _abort: (name: string) => void
  _start: () => void
}
const transactions = IDBTransaction.prototype as unknown as RawTransaction
const { _start: goOn } = transactions
transactions._start = function start(this: RawTransaction) {
  const isAtCommit = this._state !== 'finished' && this._requests.every(({ request }) => request.readyState === 'done')
  if (isAtCommit && doomed.has(this)) this._abort('QuotaExceededError')
  else goOn.call(this)
}

export interface RawDatabase {
  connections: RawConnection[]
  transactions: RawTransaction[]
  rawObjectStores: Map<string, { getAllValues: () => unknown[] }>
}
export interface RawConnection {
  _closed: boolean
  _closePending: boolean
  _runningVersionchangeTransaction: boolean
  _rawDatabase: RawDatabase
  dispatchEvent: (event: object) => void
}

/** As a browser does: what was not committed is undone. */
export function closeNow(connection: RawConnection): void {
  for (const transaction of connection._rawDatabase.transactions)
    if (transaction.db === connection && transaction._state !== 'finished') transaction._abort('AbortError')
  connection._closePending = connection._closed = true
  connection._rawDatabase.connections = connection._rawDatabase.connections.filter((other) => other !== connection)
}

// an event of fake-indexeddb's own, as its listeners expect
export const eventOf = (type: string) => Object.assign(new IDBVersionChangeEvent(type), { eventPath: [] })
