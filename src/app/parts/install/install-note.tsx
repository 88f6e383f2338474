import { useSyncExternalStore } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { HowToInstall } from './how-to-install.tsx'
import { install } from './install.ts'
import styles from './install.module.css'
import { installMethod, type InstallMethod } from './install-method.ts'

/** Suggests installing, until that is refused on this device; says nothing where the browser cannot. INSTALL-9 */
export function InstallNote() {
  const method = useSyncExternalStore(install.subscribe, installMethod)
  const isDue = useSyncExternalStore(install.subscribe, install.isDue)
  return isDue && method !== 'none' && method !== 'installed' ? <Suggestion method={method} /> : null
}

export function Suggestion({ method }: { method: InstallMethod }) {
  const { t } = useTranslation('install')
  return (
    <aside className={`notice ${styles.note}`} aria-label={t('InstallTitle')}>
      <p>
        <strong>{t('InstallTitle')}</strong> {t('InstallWhy')}
      </p>
      <HowToInstall method={method} />
      <div>
        <Button variant="quiet" onClick={install.refuse}>
          {t('InstallClose')}
        </Button>
      </div>
    </aside>
  )
}

/** Once in an app that was just installed with a storage of its own: where its answers come from. INSTALL-10 */
export function FirstStartNote() {
  const { t } = useTranslation('install')
  return (
    <aside className={`notice ${styles.note}`} aria-label={t('FirstStartTitle')}>
      <p>
        <strong>{t('FirstStartTitle')}</strong> {t('FirstStartText')}
      </p>
      <div>
        <Button variant="quiet" onClick={install.refuse}>
          {t('FirstStartClose')}
        </Button>
      </div>
    </aside>
  )
}
