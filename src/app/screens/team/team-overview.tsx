import './team.css'
import './table/sheet.css'
import { Link } from 'wouter'
import { useTranslation } from '#app/i18n/use-translation.ts'
import type { OfflineCall } from '#app/device/use-offline-call.ts'
import { paths } from '#app/paths.ts'
import { Button } from '#app/ui/forms/button.tsx'
import type { AllocatedInstance } from '#contract/instances.coach.ts'
import { Freshness } from './freshness.tsx'
import { LoadError, Panel } from '#app/parts/dashboard/panel.tsx'
import { TeamTable } from './table/team-table.tsx'

interface Props {
  team: OfflineCall<{ assessments: AllocatedInstance[] }>
  /** opens the assign dialog; undefined without an available token */
  onAssign?: (() => void) | undefined
  isFetching: boolean
  onRefresh: () => void
}

/** The coach's players and their assessments. TEAM-1, TEAM-16 */
export function TeamOverview({ team, onAssign, isFetching, onRefresh }: Props) {
  const { t } = useTranslation('team')
  const isExample = !team.isPending && team.data === undefined && team.isUnreachable
  return (
    <Panel title={t('TeamOverviewTitle')}>
      <p className="soft">{t('TeamOverviewDescription')}</p>
      <p className="soft">
        {t('TeamLimits')} <Link href={paths.limits()}>{t('TeamLimitsLink')}</Link>
      </p>
      {isExample && <p className="notice notice-wait">{t('ShowingDemoData')}</p>}
      {team.data && <Freshness at={team.at} isStored={team.isStored} isFetching={isFetching} onRefresh={onRefresh} />}
      {!team.isPending && team.data === undefined && !isExample ? (
        <LoadError error={team.error} onTryAgain={team.refetch} />
      ) : team.data?.assessments.length === 0 ? (
        <NoPlayers onAssign={onAssign} />
      ) : (
        <TeamTable instances={team.data?.assessments} readAt={team.at ?? 0} isExample={isExample} />
      )}
    </Panel>
  )
}

function NoPlayers({ onAssign }: Pick<Props, 'onAssign'>) {
  const { t } = useTranslation(['team', 'ui'])
  return (
    <div className="nothing">
      <div className="stack">
        <p>
          {t('ui:NoResults')} {t('TeamIsEmpty')}
        </p>
        {onAssign && (
          <div>
            <Button variant="primary" onClick={onAssign}>
              {t('TeamInviteFirst')}
            </Button>
          </div>
        )}
      </div>
    </div>
  )
}
