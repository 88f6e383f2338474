import { useEffect, useState } from 'react'
import { loadStatus } from '#app/device/lazy.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'

/** For a guest who asked what is on this device: whether anybody's answers or marks are unsent, without a name. DEVICE-7 */
export function WaitsHere() {
  const { t } = useTranslation('device')
  const [found, setFound] = useState({ isSendable: false, isRefused: false })
  useEffect(() => {
    loadStatus()
      .then(({ unsentOfAnybody }) => unsentOfAnybody())
      .then(setFound, (error: unknown) => console.warn('The device cannot be read', error))
  }, [])
  return (
    <div role="status">
      {found.isSendable && <p>{t('WaitsForSignIn')}</p>}
      {found.isRefused && <p>{t('RefusedWaits')}</p>}
    </div>
  )
}
