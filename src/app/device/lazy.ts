import { loadCaller } from '#app/api/load-caller.ts'
import { loadOnce } from '#app/ui/browser/load-once.ts'

/**
 * Modules that store and send a person's work: loaded after the first question is painted, or when first needed (docs/decisions/0015).
 * What these modules load themselves is in lazy-reads.ts: they cannot import this file, which imports them.
 */
export const loadFetchInstance = loadCaller(() => import('./fetch-instance.ts'))
export const loadOutbox = loadOnce(() => import('./sending/outbox.ts'))
export const loadAnswersFile = loadOnce(() => import('./answers-file.ts'))
export const loadDiscard = loadOnce(() => import('./discard.ts'))
export const loadLeftAccounts = loadOnce(() => import('./left-accounts.ts'))
export const loadStatus = loadOnce(() => import('./status.ts'))
export const loadUnsentOfOthers = loadOnce(() => import('./unsent-of-others.ts'))
export const loadPrepare = loadOnce(() => import('./readiness/prepare.ts'))
export const loadStorageGrant = loadOnce(() => import('./readiness/storage-grant.ts'))
export const loadStoredReplies = loadOnce(() => import('./stored-replies.ts'))

/** Sends what is unsent. If the outbox cannot be loaded now, nothing is lost: it sends everything when it starts (start.ts). */
export async function sendNow(): Promise<void> {
  const outbox = await loadOutbox().catch(() => undefined)
  await outbox?.sendNow()
}

/** Sends after a second, so that several taps go into one save. */
export async function sendSoon(): Promise<void> {
  const outbox = await loadOutbox().catch(() => undefined)
  outbox?.sendSoon()
}
