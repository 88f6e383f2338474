import { useEffect, useState } from 'react'
import { loadStatus } from '#app/device/lazy.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'

/** For a guest who asked what is on this device: unsent answers of whomever, without a name. DEVICE-7 */
export function WaitsHere() {
  const { t } = useTranslation('device')
  const [isSomething, setSomething] = useState(false)
  useEffect(() => {
    loadStatus()
      .then(({ hasAnybodyUnsent }) => hasAnybodyUnsent())
      .then(setSomething, (error: unknown) => console.warn('The device cannot be read', error))
  }, [])
  return <p role="status">{isSomething && t('WaitsForSignIn')}</p>
}
