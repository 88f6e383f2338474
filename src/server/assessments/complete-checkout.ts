import type { assessments } from '#contract/assessments.ts'
import type { Handler } from '../http/handler.ts'
import { verifySession } from '../payments/verify-session.ts'

/** Grants the assessment of a paid session. BUY-17 */
export const completeCheckout: Handler<typeof assessments.completeCheckout> = async (input) => {
  const verified = await verifySession(input, 'assessment')
  return { status: verified.status, assessmentInstanceId: verified.status === 'complete' ? verified.instanceId : null }
}
