import { useReachable } from '#app/api/use-network-state.ts'
import { OnlineOnlyButton } from '#app/api/online-only-button.tsx'
import { useMoment } from '#app/i18n/use-moment.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { AsOf } from '#app/parts/assessment/as-of.tsx'

interface Props {
  /** epoch ms when the rows were read; undefined until then */
  at: number | undefined
  /** the rows are the device's copy: newer ones could not be fetched */
  isStored: boolean
  isFetching: boolean
  onRefresh: () => void
}

/** When the team was last read, with a button to refresh it. HOME-19 */
export function Freshness({ at, isStored, isFetching, onRefresh }: Props) {
  const { t } = useTranslation('team')
  const moment = useMoment()
  const isReachable = useReachable()
  if (!at) return null
  return (
    <div className="team-freshness">
      {isStored || !isReachable ? (
        <AsOf at={at} isStored={isStored} />
      ) : (
        <p className="soft small">{t('UpdatedAt', { moment: moment(at) })}</p>
      )}
      <OnlineOnlyButton variant="quiet" isBusy={isFetching} isReasonShown={false} onClick={onRefresh}>
        {t('Refresh')}
      </OnlineOnlyButton>
    </div>
  )
}
