import type { ReactNode } from 'react'
import { EmbeddedCheckout } from './embedded-checkout.tsx'
import { NoCardForm } from './no-card-form.tsx'
import { PaymentAgain, type PaymentQuestion } from './payment-again.tsx'
import type { CheckoutSession } from './use-checkout-session.ts'

interface Props {
  session: CheckoutSession
  question: PaymentQuestion
  /** why there is no card form, as a translated text */
  trouble: string | undefined
  /** beside the trouble; by default a Back button */
  wayOut?: ReactNode
}

/** The card form of a session; before it the question whether to pay again; while there is no session, why. BUY-5, BUY-7, BUY-18 */
export function CardForm({ session, question, trouble, wayOut }: Props) {
  const isReady = session.step === 'ready'
  if (question.hasReturned || (isReady && question.hasEnded(session.sessionId))) return <PaymentAgain onProceed={question.proceed} />
  if (isReady) return <EmbeddedCheckout clientSecret={session.clientSecret} sessionId={session.sessionId} />
  return <NoCardForm session={session} trouble={trouble} wayOut={wayOut} />
}
