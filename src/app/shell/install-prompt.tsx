import { useSyncExternalStore } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { install } from '#app/parts/install.ts'

/** Shown only where the browser offers to install; never pops up. */
export function InstallButton() {
  const { t } = useTranslation('shell')
  const isOffered = useSyncExternalStore(install.subscribe, install.isOffered)
  if (!isOffered) return null
  return (
    <button type="button" className="button" onClick={() => void install.ask()}>
      {t('Install')}
    </button>
  )
}
