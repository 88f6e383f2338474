import { Link } from 'wouter'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { paths } from '#app/paths.ts'

/** The browser does not open the database of this device: what is on screen is the account's, and nothing can be stored. DEVICE-1 */
export function DeviceUnreadable() {
  const { t } = useTranslation('parts')
  return (
    <div className="notice notice-wait stack" role="status">
      <p>{t('DeviceUnreadable')}</p>
      <p>
        {t('DeviceUnreadableDo')} <Link href={paths.device()}>{t('DeviceUnreadableSee')}</Link>
      </p>
    </div>
  )
}
