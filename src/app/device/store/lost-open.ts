import { retryDelay } from '#app/api/backoff.ts'
import { withDatabaseTimeout } from './database-timeout.ts'
import { DATABASE } from './schema.ts'

/** Waits between probes: each is one more request that may never be answered. */
const WAITS = { first: 2000, longest: 60_000 }

let probing: Promise<boolean> | undefined
let failures = 0
/** by `performance.now` */
let notBefore = 0

/**
 * Whether the browser opens the database now. If so, an earlier request without an answer was lost, since requests are answered in
 * order, and only a new one helps. Never rejects. DEVICE-1
 */
export function canOpenDatabase(): Promise<boolean> {
  if (!probing && performance.now() < notBefore) return Promise.resolve(false)
  probing ??= withDatabaseTimeout(tryToOpen())
    .catch(() => false)
    .then((canOpen) => {
      probing = undefined
      failures = canOpen ? 0 : failures + 1
      notBefore = canOpen ? 0 : performance.now() + retryDelay(failures, undefined, WAITS)
      return canOpen
    })
  return probing
}

function tryToOpen(): Promise<boolean> {
  return new Promise((resolve) => {
    const request = indexedDB.open(DATABASE)
    // there is no database yet; it is created by its first use
    request.addEventListener('upgradeneeded', () => request.transaction?.abort())
    request.addEventListener('success', () => {
      request.result.close()
      resolve(true)
    })
    request.addEventListener('error', () => resolve(request.error?.name === 'AbortError'))
  })
}
