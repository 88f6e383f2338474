import { useState } from 'react'
import { Link } from 'wouter'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { paths } from '#app/paths.ts'
import { privateStore } from '#app/session/private-store.ts'
import { Button } from '#app/ui/forms/button.tsx'

interface SendFirstProps {
  /** how much is not sent */
  waiting: number
  /** sending was tried: count again */
  onTried: () => Promise<void>
}

/** Shown instead of the steps: unsent answers would stay in this browser, and the installed app would not have them. INSTALL-10 */
export function SendFirst({ waiting, onTried }: SendFirstProps) {
  const { t } = useTranslation('install')
  const { unavailable, whenReachable } = useOnlineOnly()
  const [state, setState] = useState<'new' | 'sending' | 'tried'>('new')

  async function send(): Promise<void> {
    setState('sending')
    await privateStore()
      .then((store) => store.sendNow())
      .catch((error: unknown) => console.warn('Could not send what is waiting', error))
    await onTried()
    setState('tried')
  }

  return (
    <>
      <p>{t('SendFirst', { count: waiting })}</p>
      <div>
        <Button
          variant="primary"
          isBusy={state === 'sending'}
          unavailable={state === 'sending' ? undefined : unavailable}
          onClick={() => whenReachable(() => void send())}
        >
          {t('SendNow')}
        </Button>
      </div>
      {state === 'tried' && (
        <p role="alert">
          {t('NotAllSent')} <Link href={paths.device()}>{t('SeeDevice')}</Link>
        </p>
      )}
    </>
  )
}
