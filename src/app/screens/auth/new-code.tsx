import { OnlineOnlyButton } from '#app/api/online-only-button.tsx'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { readCoachOnboarding } from '#app/session/coach-onboarding.ts'
import { useSignIn } from './use-sign-in.ts'

interface NewCodeProps {
  email: string
  onAsked: () => void
  onSent: () => void
  /** or it is not known whether it was */
  onNotSent: () => void
}

/** Sends a new code for the sign-in under way, whose code may be used up. LOGIN-11 */
export function NewCode({ email, onAsked, onSent, onNotSent }: NewCodeProps) {
  const { t } = useTranslation('auth')
  const { start, isSending, failure } = useSignIn()
  const send = async () => {
    onAsked()
    const coach = readCoachOnboarding()
    const { isSent } = await start(coach?.email === email ? { ...coach, userTypeCode: 'coach' } : { email, userTypeCode: 'player' })
    if (isSent) onSent()
    else onNotSent()
  }
  return (
    <>
      {failure && <p className="field-error">{failure}</p>}
      <OnlineOnlyButton variant="primary" isBusy={isSending} onClick={() => void send()}>
        {t(isSending ? 'SendingCode' : 'SendNewCode')}
      </OnlineOnlyButton>
    </>
  )
}
