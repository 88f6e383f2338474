/**
 * Keeps IndexedDB transactions from outliving their use. While one is open, writes to its stores wait, in all pages. WebKit
 * keeps a page that was left, in case somebody goes back, with its open transactions: those never end, and neither a reload nor
 * a new connection of the waiting page frees their stores. docs/decisions/0063
 */

/** Longer than any caller waits for one (device/store/database-timeout.ts): by then its work was rejected, and the caller retries. */
const GIVEN_UP_MS = 10_000

const open = new Set<IDBTransaction>()
let isLeft = false

/**
 * Aborts this transaction, which has just begun, when the page is left, or after 10 s. One that is told to commit at once does not
 * need this: the browser ends it without the page.
 */
export function bounded<T extends IDBTransaction>(transaction: T): T {
  const late = setTimeout(() => abort(transaction), GIVEN_UP_MS)
  const forget = () => {
    clearTimeout(late)
    open.delete(transaction)
  }
  open.add(transaction)
  transaction.addEventListener('complete', forget)
  transaction.addEventListener('abort', forget)
  // begun by a later listener of the same event
  if (isLeft) abort(transaction)
  return transaction
}

/** The result of a request as a promise. */
export function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('the device cannot be read')))
  })
}

/** Called once, before the first transaction. */
export function endTransactionsWithPage(): void {
  addEventListener('pagehide', () => {
    isLeft = true
    open.forEach(abort)
  })
  addEventListener('pageshow', () => {
    isLeft = false
  })
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort()
  } catch {
    // it is over, or being committed
  }
}
