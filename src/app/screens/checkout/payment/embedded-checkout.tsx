import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useReachable } from '#app/api/use-network-state.ts'
import { useCall } from '#app/api/use-call.ts'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { currentLanguage } from '#app/i18n/current-language.ts'
import { noteCardForm, rememberCheckout } from '#app/parts/steps/last-checkout.ts'
import { SettingsLink } from '#app/parts/person/settings-link.tsx'
import { Button } from '#app/ui/forms/button.tsx'
import { settings as settingsCalls } from '#contract/settings.ts'
import styles from './payment.module.css'
import { openCardForm, type CardPayments } from './open-card-form.ts'

/** The card form of one checkout session; destroyed on leaving the page. BUY-5, BUY-8 */
export function EmbeddedCheckout({ clientSecret, sessionId }: { clientSecret: string; sessionId: string }) {
  const { t } = useTranslation('checkout')
  const userId = useReaderId()
  useEffect(() => {
    const path = location.pathname + location.search
    rememberCheckout(path)
    if (userId !== undefined) noteCardForm(path, userId, sessionId)
  }, [userId, sessionId])
  const settings = useCall(settingsCalls.get)
  const isReachable = useReachable()
  const cards = settings.data?.cardPayments

  return (
    <>
      <div role="status">{!isReachable && <p className="notice notice-wait">{t('ConnectionLost')}</p>}</div>
      {cards && <CardForm key={clientSecret} cards={cards} clientSecret={clientSecret} />}
      {!cards && (settings.isError ? <Failed onRetry={() => void settings.refetch()} /> : <Opening />)}
      <p className="soft small">{t('Secure')}</p>
    </>
  )
}

/** Stays mounted when the connection is lost: typed card details exist only in the provider's form. */
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
      {/* the provider's form mounts below the spinner and replaces it */}
      <div className={styles.frame} hidden={step === 'failed'}>
        {step === 'opening' && <Opening />}
        <div ref={place} className={styles.card} />
      </div>
    </>
  )
}

function Opening() {
  const { t } = useTranslation('checkout')
  return (
    <div role="status" className={styles.place}>
      <p className={styles.processing}>
        <span className="spinner" />
        {t('Processing')}
      </p>
    </div>
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('checkout')
  return (
    <div role="alert" className="notice notice-refused stack">
      <p>{t('PaymentIssue')}</p>
      <div className="row">
        <Button onClick={onRetry}>{t('TryAgain')}</Button>
        <SettingsLink to="contact" otherwise={null}>
          {t('ContactUsForHelp')}
        </SettingsLink>
      </div>
    </div>
  )
}
