import type { assessments } from '#contract/assessments.ts'
import type { Handler } from '../http/handle.ts'
import { verifySession } from '../payments/verify-session.ts'

export const completeCheckout: Handler<typeof assessments.completeCheckout> = async (asked) => {
  const verified = await verifySession(asked, 'assessment')
  return { status: verified.status, assessmentInstanceId: verified.status === 'complete' ? verified.instanceId : null }
}
