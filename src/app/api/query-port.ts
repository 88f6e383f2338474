import type { Endpoint, Tag } from '#contract/endpoint.ts'
import { createEvent } from './events.ts'
import { createPort } from './port.ts'

/**
 * One person's cached reads, in memory and on the device (OFFLINE-4). The query library provides this port when the first screen
 * that needs it loads (reads-provider.tsx); the questionnaire works without it.
 */
interface QueryPort {
  /** switches to this person's reads, or to nobody's (SESSION-21); resolves when the stored ones are restored */
  settle: (userId: string | undefined) => Promise<void>
  /** takes over what was stored, if local storage had nothing as new */
  restore: (stored: StoredReads) => Promise<void>
  /** @param tags undefined: all that anybody may change */
  invalidateTags: (tags?: readonly Tag[]) => void
  askAgain: () => void
}

/** A person's reads as they are in local storage. */
export interface StoredReads {
  userId: string
  text: string
}

/** Emitted when the stored reads have changed: device/reads-copy.ts copies them. */
export const readsStored = createEvent<StoredReads>()

/** Keys of stored reads in local storage begin with this and end with their reader's id. */
export const STORED_READS_PREFIX = 'touchline.reads.'

let readerId: string | undefined
let settled = Promise.resolve()

export const queryPort = createPort<QueryPort>((port) => {
  settled = port.settle(readerId)
})

/** Resolves once the signed-in person's stored reads are restored. */
export const readsSettled = () => settled

/** Restores the copy of a person's stored reads, once the query library is there. */
export async function restoreReads(stored: StoredReads): Promise<void> {
  const port = await queryPort.provided
  await settled
  await port.restore(stored)
}

/** Switches the cached reads to this person, or to nobody; resolves when the stored ones are restored. SESSION-21 */
export async function settleReads(userId: string | undefined): Promise<void> {
  readerId = userId
  dropStoredReads(userId)
  const port = queryPort.get()
  if (port) settled = port.settle(userId)
  await settled
}

/** Removes the stored reads of everybody, or of everybody else. */
export function dropStoredReads(reader?: string): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(STORED_READS_PREFIX) && key !== `${STORED_READS_PREFIX}${reader}`) localStorage.removeItem(key)
  }
}

/**
 * Marks every read with one of these tags as stale, or all that anybody may change: those on screen are read again now, the others at their
 * next use.
 */
export function invalidateTags(tags?: readonly Tag[]): void {
  queryPort.get()?.invalidateTags(tags)
}

/** BroadcastChannel on which a tab announces what it has changed. */
const CHANGES = 'touchline-changes'

interface Changes {
  userId: string
  tags: readonly Tag[]
}

/** Marks as stale what a write changes, in all tabs of this person. `useSend` does it itself, a bare `call` does not. */
export function invalidateChangedBy(endpoint: Endpoint): void {
  if (!endpoint.changes) return
  invalidateTags(endpoint.changes)
  if (readerId === undefined) return
  const channel = new BroadcastChannel(CHANGES)
  channel.postMessage({ userId: readerId, tags: endpoint.changes } satisfies Changes)
  channel.close()
}

/** Reads again what the same person changes in other tabs. */
export function watchChangesInOtherTabs(): void {
  new BroadcastChannel(CHANGES).addEventListener('message', ({ data }: MessageEvent<Changes>) => {
    if (data.userId === readerId) invalidateTags(data.tags)
  })
}

/** After a reconnect: reads instances again, and every read that failed. OFFLINE-3 */
export function askAgainAfterReconnect(): void {
  queryPort.get()?.askAgain()
}
