/**
 * Keeps transactions of IndexedDB from outliving their use. As long as one is open, writes on its stores wait, in all pages. WebKit
 * keeps a page that is left, in case somebody goes back, and its open transactions with it: those never end, and neither a reload nor
 * a new connection of the page that waits frees their stores. docs/decisions/0063
 */

/** Longer than anybody waits for one (device/store/database-timeout.ts): its work was rejected, and whoever needs it does it again. */
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
