import type { Endpoint, Tag } from '#contract/endpoint.ts'
import { createPort } from './port.ts'

/**
 * The reads of one person, in memory and on the device (OFFLINE-4). The library behind them comes with the first screen
 * that reads (reads-provider.tsx) and provides this port: the questionnaire has its own store and does without it.
 */
interface QueryPort {
  /** memory and stored reads belong to this person from now on, or to nobody (SESSION-21); resolves once what is stored is restored */
  settle: (userId: string | undefined) => Promise<void>
  makeStale: (tags: readonly Tag[]) => void
  askAgain: () => void
}

/** Keys of stored reads in local storage begin with this and end with their reader's id. */
export const STORED_READS_PREFIX = 'touchline.reads.'

let readerId: string | undefined
let settled = Promise.resolve()

export const queryPort = createPort<QueryPort>((port) => {
  settled = port.settle(readerId)
})

/** Resolves once the signed-in person's stored reads are restored. */
export const readsSettled = () => settled

export async function settleReads(userId: string | undefined): Promise<void> {
  readerId = userId
  if (userId !== undefined) dropStoredReadsExcept(userId)
  const port = queryPort.get()
  if (port) settled = port.settle(userId)
  await settled
}

/** Somebody else signed in on this device: what the others' dashboards showed leaves it. */
function dropStoredReadsExcept(userId: string): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(STORED_READS_PREFIX) && key !== STORED_READS_PREFIX + userId) localStorage.removeItem(key)
  }
}

/** Every read under these tags is stale: those on screen are asked for again, the others at their next use. */
export function makeStale(tags: readonly Tag[]): void {
  queryPort.get()?.makeStale(tags)
}

/** What a write makes stale; `useSend` does it by itself, a bare `call` does not. */
export function noteChanges(endpoint: Endpoint): void {
  if (endpoint.changes) makeStale(endpoint.changes)
}

/** After a reconnect: instances, and whatever could not be had before. OFFLINE-3 */
export function askAgainAfterReconnect(): void {
  queryPort.get()?.askAgain()
}
