import { session } from '#app/session/session.ts'
import { waitingOf } from '../waiting.ts'
import { sendTrouble } from './send-trouble.ts'
import { onSynced } from './sync-events.ts'

/**
 * Ends the sending trouble when no reply does: what waited was discarded or sent by another tab, or its owner signed out.
 * Called once, by start.ts.
 */
export function watchTroubleEnd(): void {
  let owner = session.get().user?.id
  const recheck = async () => {
    if (!sendTrouble.isOngoing()) return
    const { answers, submits, marks } = await waitingOf(session.get().user?.id)
    if (answers + submits + marks === 0) sendTrouble.noteNothingWaits()
  }
  // where the device cannot be read, something may still wait
  onSynced(() => void recheck().catch(() => undefined))
  session.subscribe(() => {
    const now = session.get().user?.id
    if (now !== owner) sendTrouble.noteNothingWaits()
    owner = now
  })
}
