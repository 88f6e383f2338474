import type { assessments } from '#contract/assessments.ts'
import type { Handler } from '../http/handle.ts'
import { askProvider } from '../payments/ask-provider.ts'
import { fulfil } from '../payments/fulfil.ts'
import { findOrderOf } from '../payments/store.ts'

/** Does what the webhook does, sooner: the payer is waiting. §4 Payment return */
export const completeCheckout: Handler<typeof assessments.completeCheckout> = async ({ body, caller, refuse, deps }) => {
  const order = await findOrderOf(deps.db, caller.userId, 'assessment', body.session_id)
  if (!order) return refuse('NOT_FOUND')
  const outcome = await askProvider(
    deps.log,
    () => fulfil(deps, body.session_id),
    () => refuse('PAYMENTS_UNAVAILABLE', { retryAfter: 5 }),
  )
  if (!outcome) return refuse('NOT_FOUND')
  if (outcome.status === 'unpaid') return refuse('PAYMENT_NOT_COMPLETE')
  return { status: outcome.status, assessmentInstanceId: outcome.status === 'complete' ? outcome.instanceId : null }
}
