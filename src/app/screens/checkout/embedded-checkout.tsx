import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReachable } from '#app/api/network.ts'
import { useCall } from '#app/api/use-call.ts'
import { api } from '#contract/api.ts'
import { openCardForm } from './open-card-form.ts'

/** The card form of one checkout session. Leaving the page destroys it. §2 Checkout area, §8 Payment */
export function EmbeddedCheckout({ clientSecret }: { clientSecret: string | null }) {
  const { t } = useTranslation('checkout')
  const headingId = useId()
  const settings = useCall(api.settings.get)
  const isReachable = useReachable()
  const [attempt, setAttempt] = useState(0)
  const cards = settings.data?.cardPayments

  if (clientSecret === null) return <Alert severity="error">{t('NoClientSecret')}</Alert>
  const retry = () => {
    if (settings.isError) void settings.refetch()
    setAttempt(attempt + 1)
  }

  return (
    <Box component="section" aria-labelledby={headingId} sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
      <Typography id={headingId} component="h2" variant="h5">
        {t('CardPayment')}
      </Typography>
      <Box role="status">{isReachable ? null : <Alert severity="warning">{t('ConnectionLost')}</Alert>}</Box>
      {settings.isError ? <Failed onRetry={retry} /> : null}
      {cards ? (
        <CardForm
          key={`${clientSecret} ${attempt}`}
          publishableKey={cards.publishableKey}
          script={cards.script}
          clientSecret={clientSecret}
          onRetry={retry}
        />
      ) : null}
      <Typography variant="body2" color="text.secondary">
        {t('Secure')}
      </Typography>
    </Box>
  )
}

interface CardFormProps {
  publishableKey: string
  script: string | null
  clientSecret: string
  onRetry: () => void
}

function CardForm({ publishableKey, script, clientSecret, onRetry }: CardFormProps) {
  const place = useRef<HTMLDivElement>(null)
  const [step, setStep] = useState<'opening' | 'open' | 'failed'>('opening')

  useEffect(() => {
    if (!place.current) return
    return openCardForm({ publishableKey, script }, clientSecret, place.current, {
      onOpen: () => {
        setStep('open')
      },
      onError: (error) => {
        console.error(error)
        setStep('failed')
      },
    })
  }, [publishableKey, script, clientSecret])

  if (step === 'failed') return <Failed onRetry={onRetry} />
  return (
    <>
      {step === 'opening' ? <Skeleton variant="rounded" height={320} /> : null}
      <Box ref={place} sx={{ minWidth: 0, overflow: 'hidden', borderRadius: 2 }} />
    </>
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('checkout')
  return (
    <Alert
      severity="error"
      action={
        <Button color="inherit" onClick={onRetry} sx={{ minHeight: 48 }}>
          {t('TryAgain')}
        </Button>
      }
    >
      {t('PaymentIssue')}
    </Alert>
  )
}
