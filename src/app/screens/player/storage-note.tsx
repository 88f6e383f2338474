import { useEffect, useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { loadStorageGrant } from '#app/device/lazy.ts'
import type { StorageGrant } from '#app/device/readiness/storage-grant.ts'

/** Says whether the browser granted persistent storage; shows nothing before it was asked. docs/decisions/0033 */
export function StorageNote() {
  const { t } = useTranslation('player')
  const [grant, setGrant] = useState<StorageGrant>()
  useEffect(() => {
    loadStorageGrant()
      .then(({ storageGrant }) => storageGrant())
      .then(setGrant, (error: unknown) => console.warn('The device cannot be read', error))
  }, [])
  return grant && <p className="player-storage">{t(grant === 'persistent' ? 'StorageKept' : 'StorageMayClear')}</p>
}
