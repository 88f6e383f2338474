import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReachable } from '#app/api/network.ts'
import { useCall } from '#app/api/use-call.ts'
import { currentLanguage } from '#app/i18n/i18n.ts'
import { Button } from '#app/ui/button.tsx'
import { Skeleton } from '#app/ui/skeletons.tsx'
import { api } from '#contract/api.ts'
import styles from './checkout.module.css'
import { openCardForm, type CardPayments } from './open-card-form.ts'

/** The card form of one checkout session. Leaving the page destroys it. §2 Checkout area, §8 Payment */
export function EmbeddedCheckout({ clientSecret }: { clientSecret: string | null }) {
  const { t } = useTranslation('checkout')
  const headingId = useId()
  const settings = useCall(api.settings.get)
  const isReachable = useReachable()
  const cards = settings.data?.cardPayments

  if (clientSecret === null) {
    return (
      <p role="alert" className="notice notice-refused">
        {t('NoClientSecret')}
      </p>
    )
  }
  return (
    <section aria-labelledby={headingId} className={styles.column}>
      <div>
        <h2 id={headingId}>{t('CardPayment')}</h2>
        <div role="status">{!isReachable && <p className="notice notice-wait">{t('ConnectionLost')}</p>}</div>
      </div>
      {cards && <CardForm key={clientSecret} cards={cards} clientSecret={clientSecret} />}
      {!cards && (settings.isError ? <Failed onRetry={() => void settings.refetch()} /> : <Skeleton bars={[20]} />)}
      <p className="soft small">{t('Secure')}</p>
    </section>
  )
}

/** The form stays when the connection goes: what was typed into it is not ours to keep anywhere else. */
function CardForm({ cards, clientSecret }: { cards: CardPayments; clientSecret: string }) {
  const place = useRef<HTMLDivElement>(null)
  const [attempt, setAttempt] = useState(1)
  const [step, setStep] = useState<'opening' | 'open' | 'failed'>('opening')
  const { publishableKey, script } = cards

  useEffect(() => {
    if (!place.current) return
    return openCardForm(
      { publishableKey, script },
      clientSecret,
      { element: place.current, language: currentLanguage() },
      {
        onOpen: () => {
          setStep('open')
        },
        onError: (error) => {
          console.error(error)
          setStep('failed')
        },
      },
    )
  }, [publishableKey, script, clientSecret, attempt])

  const retry = () => {
    setStep('opening')
    setAttempt(attempt + 1)
  }
  return (
    <>
      {step === 'failed' && <Failed onRetry={retry} />}
      {step === 'opening' && <Skeleton bars={[20]} />}
      <div ref={place} className={styles.card} />
    </>
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('checkout')
  return (
    <div role="alert" className="notice notice-refused stack">
      <p>{t('PaymentIssue')}</p>
      <div>
        <Button onClick={onRetry}>{t('TryAgain')}</Button>
      </div>
    </div>
  )
}
