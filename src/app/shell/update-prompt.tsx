import { useState, useSyncExternalStore } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { updateRequired } from '#app/api/update-required.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { appUpdate } from '#app/parts/app-update.ts'

/** Offers a newer version. Used by Shell and PublicLayout only: never in a questionnaire or a payment (INSTALL-2). */
export function UpdatePrompt() {
  const { t } = useTranslation('shell')
  const isWaiting = useSyncExternalStore(appUpdate.subscribe, appUpdate.isWaiting)
  const isRequired = useSyncExternalStore(updateRequired.subscribe, updateRequired.get)
  const [isPostponed, setIsPostponed] = useState(false)
  const [isActivating, setIsActivating] = useState(false)
  const isShown = isWaiting && (isRequired || !isPostponed)

  return (
    <div role="status">
      {isShown && (
        <div className="prompt">
          <p>{t('UpdateReady')}</p>
          <Button
            variant="primary"
            isBusy={isActivating}
            onClick={() => {
              setIsActivating(true)
              appUpdate.accept()
            }}
          >
            {t('UpdateNow')}
          </Button>
          {!isRequired && <Button onClick={() => setIsPostponed(true)}>{t('UpdateLater')}</Button>}
        </div>
      )}
    </div>
  )
}
