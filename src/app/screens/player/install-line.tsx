import { useState, useSyncExternalStore } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { install } from '#app/parts/install.ts'
import { remember } from '#app/remember.ts'
import { Button } from '#app/ui/forms/button.tsx'

const CLOSED_KEY = 'installLineClosed'

/** Says why and how to install the app, until it is dismissed on this device. HOME-21 */
export function InstallLine() {
  const { t } = useTranslation(['player', 'shell'])
  const way = useSyncExternalStore(install.subscribe, install.way)
  const [isClosed, setIsClosed] = useState(() => localStorage.getItem(CLOSED_KEY) !== null)
  if (isClosed || way === undefined) return null

  function close(): void {
    remember(CLOSED_KEY, '1')
    setIsClosed(true)
  }

  return (
    <aside className="notice player-install" aria-label={t('InstallTitle')}>
      <p>
        <strong>{t('InstallTitle')}</strong> {t(way === 'offer' ? 'InstallWhy' : 'InstallByHand')}
      </p>
      <div className="card-actions">
        {way === 'offer' && <Button onClick={() => void install.ask()}>{t('shell:Install')}</Button>}
        <Button look="quiet" onClick={close}>
          {t('InstallClose')}
        </Button>
      </div>
    </aside>
  )
}
