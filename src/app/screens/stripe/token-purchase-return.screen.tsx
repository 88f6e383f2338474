/** /stripe/token-purchase/return?session_id=: the result of a coach's payment. TOKENS-11 */
import { Redirect } from 'wouter'
import { useSend } from '#app/api/use-send.ts'
import { RoleGate } from '#app/parts/steps/role-gate.tsx'
import { paths } from '#app/paths.ts'
import { tokens } from '#contract/tokens.ts'
import { PaymentReturnView } from './payment-return-view.tsx'
import { usePaymentReturn } from './use-payment-return.ts'

export default function TokenPurchaseReturnScreen() {
  return (
    <RoleGate of="coach">
      <TokenPurchaseReturn />
    </RoleGate>
  )
}

function TokenPurchaseReturn() {
  const { send } = useSend(tokens.completeCheckout)
  const { state, retry } = usePaymentReturn({
    verify: (sessionId) => send({ body: { session_id: sessionId } }),
    needsInstance: false,
  })
  if (state.step === 'complete') return <Redirect to={paths.tokenPurchaseSuccessful()} replace />
  return <PaymentReturnView state={state} onRetry={retry} />
}
