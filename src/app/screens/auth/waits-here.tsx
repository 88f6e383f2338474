import { useUnsentOfOthers } from '#app/device/use-unsent-of-others.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useMissingAnswers } from '#app/session/use-left-accounts.ts'

/** For a guest who asks what is on this device: whether there are unsent answers or marks, without a name. DEVICE-7 */
export function WaitsHere() {
  const { t } = useTranslation('device')
  const found = useUnsentOfOthers(undefined)
  const missing = useMissingAnswers()
  return (
    <div role="status">
      {found.isSendable && <p>{t('WaitsForSignIn')}</p>}
      {found.isRefused && <p>{t('RefusedWaits')}</p>}
      {found.isClosed && <p>{t('WaitsForClosed')}</p>}
      {missing > 0 && <p>{t('WaitsForMissing', { count: missing })}</p>}
    </div>
  )
}
