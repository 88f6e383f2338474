import { loadOnce } from './load-once.ts'

/** What stores and sends a person's work: it comes after the first question is painted, or when it is first wanted. docs/decisions/0015 */
export const loadOutbox = loadOnce(() => import('./sending/outbox.ts'))
export const loadRescueFile = loadOnce(() => import('./rescue-file.ts'))
export const loadStatus = loadOnce(() => import('./status.ts'))
export const loadPrepare = loadOnce(() => import('./readiness/prepare.ts'))
export const loadStorageGrant = loadOnce(() => import('./readiness/storage-grant.ts'))
export const loadStoredReplies = loadOnce(() => import('./stored-replies.ts'))

/** Sends what is unsent. Safe before the outbox is loaded: loading it (main.tsx) sends everything unsent. */
export async function sendNow(): Promise<void> {
  const outbox = await loadOutbox().catch(() => undefined)
  await outbox?.sendNow()
}

/** The same within a second: taps that follow each other travel together. */
export async function sendSoon(): Promise<void> {
  const outbox = await loadOutbox().catch(() => undefined)
  outbox?.sendSoon()
}
