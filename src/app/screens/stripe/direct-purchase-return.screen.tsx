/** /stripe/direct-purchase/return?session_id=: the result of a player's payment. BUY-12 to BUY-15 */
import { Redirect } from 'wouter'
import { useSend } from '#app/api/use-send.ts'
import { RoleGate } from '#app/parts/steps/role-gate.tsx'
import { paths } from '#app/paths.ts'
import { assessments } from '#contract/assessments.ts'
import { PaymentReturnView } from './payment-return-view.tsx'
import { usePaymentReturn } from './use-payment-return.ts'

export default function DirectPurchaseReturnScreen() {
  return (
    <RoleGate of="player">
      <DirectPurchaseReturn />
    </RoleGate>
  )
}

function DirectPurchaseReturn() {
  const { send } = useSend(assessments.completeCheckout)
  const { state, retry } = usePaymentReturn({
    verify: (sessionId) => send({ body: { session_id: sessionId } }),
    needsInstance: true,
  })
  if (state.step === 'complete' && state.assessmentInstanceId !== null)
    return <Redirect to={paths.brief(state.assessmentInstanceId)} replace />
  return <PaymentReturnView state={state} onRetry={retry} />
}
