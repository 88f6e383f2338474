import type { Deps } from '../deps.ts'
import { tryEach } from '../try-each.ts'
import { openSessionsOfErased } from './erased-checkouts-store.ts'
import { fulfil } from './fulfil.ts'

/** Ends the open checkouts of erased accounts at the provider, so that nobody pays for what nobody can use. */
export async function endErasedCheckouts(deps: Deps): Promise<void> {
  const { cards, db } = deps
  await tryEach(await openSessionsOfErased(db), async (sessionId) => {
    const session = await cards.findSession(sessionId)
    if (session?.status === 'open') await cards.expireSession(sessionId)
    // it may have been paid meanwhile
    await fulfil(deps, sessionId)
  })
}
