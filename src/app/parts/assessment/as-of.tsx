import { useTranslation } from '#app/i18n/use-translation.ts'
import { useReachable } from '#app/api/network.ts'
import { formatMoment } from '#app/i18n/format.ts'

/** The time of what is shown, while the API cannot be reached or gave nothing newer: "as of 12:40". OFFLINE-4 */
export function AsOf({ at, isStored = false }: { at: number | undefined; isStored?: boolean }) {
  const { t } = useTranslation('parts')
  const isReachable = useReachable()
  return (isReachable && !isStored) || !at ? null : <p className="soft small">{t('AsOf', { moment: formatMoment(at) })}</p>
}
