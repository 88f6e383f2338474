import { useSyncExternalStore } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { install } from '#app/parts/install/install.ts'

/** Shown only where the browser has an install prompt, which opens on a click. */
export function InstallButton() {
  const { t } = useTranslation('shell')
  const isOffered = useSyncExternalStore(install.subscribe, install.isOffered)
  if (!isOffered) return null
  return (
    <button type="button" className="button" onClick={() => void install.prompt()}>
      {t('Install')}
    </button>
  )
}
