/** /stripe/direct-purchase/return?session_id=: the result of a player's payment. BUY-12 to BUY-15 */
import { Redirect } from 'wouter'
import { useSend } from '#app/api/use-send.ts'
import { paths } from '#app/paths.ts'
import { useProfile } from '#app/parts/person/use-profile.ts'
import { assessments } from '#contract/assessments.ts'
import { canOpenBrief } from '#contract/rules/profile.ts'
import { PaymentReturnView } from './payment-return-view.tsx'
import { usePaymentReturn } from './use-payment-return.ts'

export default function DirectPurchaseReturnScreen() {
  const { send } = useSend(assessments.completeCheckout)
  const profile = useProfile()
  const { state, retry } = usePaymentReturn({
    verify: (sessionId) => send({ body: { session_id: sessionId } }),
    needsInstance: true,
  })

  if (state.step === 'complete' && state.assessmentInstanceId !== null && !profile.isFetching) {
    const instanceId = state.assessmentInstanceId
    // an unknown profile: assume that it is complete
    const isReady = profile.data === undefined || canOpenBrief(profile.data)
    return <Redirect to={isReady ? paths.brief(instanceId) : paths.confirmDetails(instanceId)} replace />
  }
  return <PaymentReturnView state={state} onRetry={retry} />
}
