/** Stores a user's small reads in local storage, so that the dashboard opens offline (OFFLINE-4). May be lost at any time. */
import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'
import { dehydrate, hydrate } from '@tanstack/react-query'
import { STORED_READS_MAX_AGE_MS } from '#app/constants.ts'
import { APP_VERSION } from '#contract/constants.ts'
import { queryClient } from './query-client.ts'
import { byDevice, byServer, serverNow } from './server-clock.ts'
import { sessionPort } from './session-port.ts'
import { readsStored, STORED_READS_PREFIX, type StoredReads } from './query-port.ts'

type PersistedClient = NonNullable<Awaited<ReturnType<ReturnType<typeof createSyncStoragePersister>['restoreClient']>>>

/** Reads marked with this are stored. */
export const storedRead = { isStored: true }

// Replies of another version of the contract would break the screens that read them.
const buster = `v${APP_VERSION}`
let close = () => {}
/** whose reads are stored, and when what local storage had of them was stored, epoch ms */
let opened: { userId: string; storedAt: number } | undefined

/** Restores this user's stored reads, and stores changes from now on. */
export async function openQueryStore(userId: string): Promise<void> {
  closeQueryStore()
  let isOpen = true
  // The library may write after sign-out: prevented by isOpen.
  const storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = {
    getItem: (key) => localStorage.getItem(key),
    setItem(key, value) {
      // a tab that is starting has not heard yet that its reader has signed out in another one
      if (!isOpen || sessionPort.get()?.storedUserId() !== userId) return
      readsStored.emit({ userId, text: value })
      localStorage.setItem(key, value)
    },
    removeItem: (key) => localStorage.removeItem(key),
  }
  // Without throttling, as the card provider's page may open within a second, and a change would not be stored.
  const persister = createSyncStoragePersister({ storage, key: STORED_READS_PREFIX + userId, throttleTime: 0 })
  const stored = await persister.restoreClient()
  opened = { userId, storedAt: stored?.timestamp ?? 0 }
  if (stored) await take(userId, stored)
  const stop = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (query.meta?.['isStored'] !== true || type === 'observerResultsUpdated') return
    const clientState = dehydrate(queryClient, {
      shouldDehydrateQuery: ({ meta, queryKey, state }) =>
        meta?.['isStored'] === true && queryKey[4] === userId && state.data !== undefined && state.dataUpdatedAt > 0,
      shouldDehydrateMutation: () => false,
    })
    const queries = redated(clientState.queries, byServer)
    if (queries.length > 0) void persister.persistClient({ timestamp: serverNow(), buster, clientState: { ...clientState, queries } })
  })
  close = () => {
    isOpen = false
    opened = undefined
    stop()
  }
}

/** Takes over a copy of this user's stored reads, if local storage had nothing as new: a killed browser loses what it took last. */
export async function restoreStoredReads({ userId, text }: StoredReads): Promise<void> {
  const stored = JSON.parse(text) as PersistedClient // by the persister
  if (opened?.userId === userId && stored.timestamp > opened.storedAt) await take(userId, stored)
}

async function take(userId: string, stored: PersistedClient): Promise<void> {
  if (stored.buster !== buster || serverNow() - stored.timestamp >= STORED_READS_MAX_AGE_MS) return
  // Otherwise a restored read would expire after the default 60 s, and be removed from the store.
  const clientState = { ...stored.clientState, queries: redated(stored.clientState.queries, byDevice) }
  hydrate(queryClient, clientState, { defaultOptions: { queries: { gcTime: STORED_READS_MAX_AGE_MS } } })
  // The page may have been closed before its last read was written: shown at once, and read again at its first use.
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[4] === userId, refetchType: 'none' })
}

type Queries = PersistedClient['clientState']['queries']

/** On the disk the dates are the server's, so that a device's clock may be wrong, and be set right later. */
function redated(queries: Queries, date: (instant: number) => number): Queries {
  return queries.map((query) => ({ ...query, state: { ...query.state, dataUpdatedAt: date(query.state.dataUpdatedAt) } }))
}

export function closeQueryStore(): void {
  close()
  close = () => {}
}
