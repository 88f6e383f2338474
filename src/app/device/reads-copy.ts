import { readsStored, restoreReads, type StoredReads } from '#app/api/query-port.ts'
import { session } from '#app/session/session.ts'
import { mayStoreReads } from './owner.ts'
import { readStored, writeStored } from './store/device-store.ts'

/**
 * A copy of the reads that local storage keeps (api/query-store.ts). A killed browser loses what local storage took in its last
 * seconds, and the dashboard would not open offline after it said so. docs/decisions/0033-ready-for-no-signal.md
 */

const KEY = 'reads'

let restoring: Promise<void> = Promise.resolve()
let changed: StoredReads | undefined
let writing: Promise<void> | undefined

/** Restores the signed-in person's reads from the copy, and copies each change from now on. Called once, by start.ts. */
export function startReadsCopy(): void {
  let userId: string | undefined
  const restorePresent = () => {
    const present = session.get().user?.id
    if (present === userId) return
    userId = present
    if (present !== undefined)
      restoring = restore(present).catch((error: unknown) => console.warn('Could not read the copy of the reads', error))
  }
  session.subscribe(restorePresent)
  restorePresent()
  readsStored.subscribe((stored) => {
    changed = stored
    writing ??= write()
      .catch((error: unknown) => console.warn('The reads could not be copied', error))
      .finally(() => {
        writing = undefined
      })
  })
}

/** Resolves once the copy of the signed-in person's reads was read. Never rejects. */
export const copyRestored = () => restoring

async function restore(userId: string): Promise<void> {
  const copy = await readStored<string>(userId, KEY)
  if (copy) await restoreReads({ userId, text: copy.value })
}

/** What changes meanwhile is copied next, and only the latest. */
async function write(): Promise<void> {
  // what is restored has more than what was read since
  await restoring
  while (changed) {
    const { userId, text } = changed
    changed = undefined
    if (mayStoreReads(userId)) await writeStored(userId, KEY, text, { mayStore: () => mayStoreReads(userId) })
  }
}
