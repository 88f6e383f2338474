import type { Deps } from '../deps.ts'
import { callCardProvider } from './call-card-provider.ts'
import { fulfil, type Outcome } from './fulfil.ts'
import { findOrderOf, type Order } from './store.ts'

/** What a call that verifies a checkout session passes on. */
interface VerifyInput {
  body: { session_id: string }
  caller: { userId: string }
  deps: Deps
  refuse: (code: 'NOT_FOUND' | 'PAYMENT_NOT_COMPLETE' | 'PAYMENTS_UNAVAILABLE', options?: { retryAfter: number }) => never
}

/** Does what the webhook does, but sooner, since the payer is waiting. Somebody else's session is not found. BUY-17 */
export async function verifySession({ body, caller, deps, refuse }: VerifyInput, kind: Order['kind']): Promise<VerifiedOutcome> {
  const order = await findOrderOf(deps.db, caller.userId, kind, body.session_id)
  if (!order) return refuse('NOT_FOUND')
  const outcome = await callCardProvider(
    deps.log,
    () => fulfil(deps, body.session_id),
    () => refuse('PAYMENTS_UNAVAILABLE', { retryAfter: 5 }),
  )
  if (!outcome) return refuse('NOT_FOUND')
  return isVerified(outcome) ? outcome : refuse('PAYMENT_NOT_COMPLETE')
}

type VerifiedOutcome = { status: 'open' | 'expired' } | Extract<Outcome, { status: 'complete' }>

function isVerified(outcome: Outcome): outcome is VerifiedOutcome {
  return outcome.status !== 'unpaid'
}
