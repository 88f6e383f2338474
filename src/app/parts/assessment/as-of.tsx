import { useTranslation } from '#app/i18n/use-translation.ts'
import { useReachable } from '#app/api/use-network-state.ts'
import { useMoment } from '#app/i18n/use-moment.ts'

/** "as of 12:40": when the data on screen was read, while the API is out of reach or has given nothing newer. OFFLINE-4 */
export function AsOf({ at, isStored = false }: { at: number | undefined; isStored?: boolean }) {
  const { t } = useTranslation('parts')
  const moment = useMoment()
  const isReachable = useReachable()
  return (isReachable && !isStored) || !at ? null : <p className="soft small">{t('AsOf', { moment: moment(at) })}</p>
}
