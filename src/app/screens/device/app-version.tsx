import { useState, useSyncExternalStore } from 'react'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { appUpdate } from '#app/parts/app-update.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { APP_VERSION } from '#contract/constants.ts'
import { Part } from '#app/ui/layout/part.tsx'

/** The version of the app, and a newer one if there is one. DEVICE-4 */
export function AppVersion() {
  const { t } = useTranslation('device')
  const isWaiting = useSyncExternalStore(appUpdate.subscribe, appUpdate.isWaiting)
  const { unavailable, whenReachable } = useOnlineOnly()
  const [state, setState] = useState<'unasked' | 'asking' | 'none' | 'failed'>('unasked')

  async function checkForUpdate(): Promise<void> {
    setState('asking')
    try {
      const registration = await navigator.serviceWorker.getRegistration()
      // without a worker nobody was asked
      if (!registration) return setState('failed')
      await registration.update()
      setState(registration.installing || registration.waiting ? 'unasked' : 'none')
    } catch (error) {
      console.warn('Could not check for an update', error)
      setState('failed')
    }
  }

  return (
    <Part id="version" title={t('VersionTitle')}>
      <p role="status">
        {t('Version', { version: APP_VERSION })} {isWaiting ? t('VersionWaiting') : state in OUTCOMES && t(OUTCOMES[state as 'none'])}
      </p>
      <div>
        {isWaiting ? (
          <Button variant="primary" onClick={appUpdate.accept}>
            {t('VersionUpdate')}
          </Button>
        ) : (
          'serviceWorker' in navigator && (
            <Button
              isBusy={state === 'asking'}
              unavailable={state === 'asking' ? undefined : unavailable}
              onClick={() => whenReachable(() => void checkForUpdate())}
            >
              {t('VersionLook')}
            </Button>
          )
        )}
      </div>
    </Part>
  )
}

const OUTCOMES = { none: 'VersionNone', failed: 'VersionUnknown' } as const
