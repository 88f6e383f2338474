import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link } from 'wouter'
import type { DeviceStatus } from '#app/device/status.ts'
import { paths } from '#app/paths.ts'

/** Unsent answers of instances that are no longer open: stored until the player decides what to do. ANSWERS-7, ASSIGN-21 */
export function StrandedAnswers({ statuses }: { statuses: readonly DeviceStatus[] }) {
  const { t } = useTranslation('player')
  return statuses.map(({ instanceId, unsent, summary, trouble }) => (
    <div key={instanceId} className="notice notice-wait row">
      <p>{t('StrandedAnswers', { count: unsent })}</p>
      {/* what neither the disk has nor the server gives cannot be opened */}
      <Link href={summary === undefined && trouble ? paths.device() : paths.test(instanceId)} className="button">
        {t('SeeStrandedAnswers')}
      </Link>
    </div>
  ))
}
