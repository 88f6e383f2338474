import type { auth } from '#contract/auth.ts'
import type { Handler } from '../http/handler.ts'
import { accountOfProof } from './account-proof.ts'
import { stateOfAccount } from './account-state-store.ts'

/** Tells a device that proves that it was signed in to an account whether that was erased. SESSION-22 */
export const accountState: Handler<typeof auth.accountState> = async ({ body, networkAddress, refuse, deps }) => {
  const userId = accountOfProof(deps.keys, body.proof)
  const limit = userId === undefined ? ('accountStatesPerAddress' as const) : ('accountStates' as const)
  const wait = await deps.limits.take(limit, userId ?? networkAddress)
  if (wait) return refuse('TOO_MANY_REQUESTS', wait)
  return userId === undefined ? { state: 'kept' } : { state: await stateOfAccount(deps.db, userId), userId }
}
