import { useState, useSyncExternalStore } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { updateRequired } from '#app/api/update-required.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { appUpdate } from './app-update.ts'

/** Offers a newer version, in the frames of the dashboard and of sign-in only, never in a questionnaire or a checkout (INSTALL-2). */
export function UpdatePrompt() {
  const { t } = useTranslation('shell')
  const isWaiting = useSyncExternalStore(appUpdate.subscribe, appUpdate.isWaiting)
  const isRequired = useSyncExternalStore(updateRequired.subscribe, updateRequired.get)
  const [isLater, setIsLater] = useState(false)
  const [isTakingOver, setIsTakingOver] = useState(false)
  const isShown = isWaiting && (isRequired || !isLater)

  return (
    <div role="status">
      {isShown && (
        <div className="prompt">
          <p>{t('UpdateReady')}</p>
          <Button
            look="primary"
            isBusy={isTakingOver}
            onClick={() => {
              setIsTakingOver(true)
              appUpdate.accept()
            }}
          >
            {t('UpdateNow')}
          </Button>
          {!isRequired && <Button onClick={() => setIsLater(true)}>{t('UpdateLater')}</Button>}
        </div>
      )}
    </div>
  )
}
