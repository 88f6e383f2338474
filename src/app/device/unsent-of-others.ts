import { leftAccounts } from '#app/session/left-accounts.ts'
import { pendingClearings } from '#app/session/pending-clearing.ts'
import { loadParagraphMarks } from './lazy-reads.ts'
import { localStatesOf, ownersOnDevice } from './store/device-store.ts'
import { isParkedWhole, isSubmitWaiting, parkedOf, unsentOf } from '#app/sync/sync.ts'

/** What of other people's answers, Submits and marks is on this device alone. */
interface UnsentOfOthers {
  /** some are sent once their owner has signed in */
  isSendable: boolean
  /** some were refused: their owner decides */
  isRefused: boolean
  /** some are of an account that is closed */
  isClosed: boolean
}

/**
 * Leaves out accounts that the server does not have (session/left-accounts.ts), and what its owner discarded, even if it is not yet
 * removed (session/pending-clearing.ts). Rejects if the device cannot be read.
 * @param userId whose own are left out, too
 */
export async function unsentOfOthers(userId?: string): Promise<UnsentOfOthers> {
  const found: UnsentOfOthers = { isSendable: false, isRefused: false, isClosed: false }
  const { countUnsentMarks } = await loadParagraphMarks()
  const states = new Map(leftAccounts().map(({ userId, state }) => [userId, state]))
  const discarded = new Set(pendingClearings().flatMap(({ userId, keepUnsent }) => (keepUnsent ? [] : [userId])))
  for (const owner of await ownersOnDevice()) {
    const state = states.get(owner)
    if (owner === userId || state === 'missing' || discarded.has(owner)) continue
    if (state === 'closed') {
      found.isClosed = true
      continue
    }
    found.isSendable ||= (await countUnsentMarks(owner)) > 0
    for (const { instance, trouble, rows } of await localStatesOf(owner)) {
      const unsent = unsentOf(rows).length + (instance && isSubmitWaiting(instance.finish) ? 1 : 0)
      const refused = isParkedWhole(trouble) ? unsent : parkedOf({ ...rows, trouble }).length
      found.isRefused ||= refused > 0
      found.isSendable ||= unsent > refused
    }
  }
  return found
}
