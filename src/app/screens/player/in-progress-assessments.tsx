import { useId } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link } from 'wouter'
import { AssessmentName } from '#app/parts/assessment/assessment-name.tsx'
import type { DeviceStatus } from '#app/device/status.ts'
import { paths } from '#app/paths.ts'
import type { InstanceSummary } from '#contract/instances.ts'
import { plainName } from '#contract/rules/assessment-name.ts'
import { DeviceState } from './device-state.tsx'
import { InstallLine } from './install-line.tsx'
import { LoadError, Panel } from '#app/parts/dashboard/panel.tsx'
import { answeredOf, coachName, statusShown } from './panels.ts'
import { StatusBadge } from '#app/parts/dashboard/status-badge.tsx'
import { StorageNote } from './storage-note.tsx'

interface Props {
  hasFailed: boolean
  /** why loading failed */
  error: unknown
  onTryAgain: () => void
  instances: readonly InstanceSummary[]
  onDevice: readonly DeviceStatus[]
  /** the URL that opens an instance. HOME-14 */
  pathOf: (instanceId: string) => string
}

/** Open assessments; hidden when there are none. HOME-8 */
export function InProgressAssessments({ hasFailed, error, onTryAgain, instances, onDevice, pathOf }: Props) {
  const { t } = useTranslation('player')
  if (!hasFailed && instances.length === 0) return null
  return (
    <Panel title={t('InProgressAssessmentsTitle')}>
      {hasFailed ? (
        <LoadError error={error} onTryAgain={onTryAgain} />
      ) : (
        <ul className="dashboard-list">
          {instances.map((instance, at) => (
            <li key={instance.instanceId}>
              <OpenCard
                instance={instance}
                isNext={at === 0}
                status={onDevice.find((one) => one.instanceId === instance.instanceId)}
                path={pathOf(instance.instanceId)}
              />
            </li>
          ))}
        </ul>
      )}
      {instances.length > 0 && (
        <>
          <StorageNote />
          <InstallLine />
        </>
      )}
    </Panel>
  )
}

interface OpenProps {
  instance: InstanceSummary
  /** highlighted as the player's next step */
  isNext: boolean
  status: DeviceStatus | undefined
  path: string
}

function OpenCard({ instance, isNext, status, path }: OpenProps) {
  const { t } = useTranslation(['player', 'home'])
  const coach = coachName(instance)
  const coachId = useId()
  const answered = answeredOf(instance, status)
  return (
    <article className="card player-open">
      <div className="player-open-head">
        <h3>
          <AssessmentName name={instance.name} />
        </h3>
        <StatusBadge status={statusShown(instance, status)} />
      </div>
      {coach && (
        <p id={coachId} className="soft">
          {t('GivenByCoach', { name: coach })}
        </p>
      )}
      <progress max={instance.itemCount} value={answered} aria-hidden="true" />
      <div className="player-open-state">
        <p>{t('home:AnsweredOf', { answered, total: instance.itemCount })}</p>
        <DeviceState instanceId={instance.instanceId} status={status} hasFetch />
        {status && waits(status) && (
          <Link href={paths.device()} className="small player-see-device">
            {t('SeeDevice')}
          </Link>
        )}
      </div>
      <Link
        href={path}
        className={`button ${isNext ? 'button-primary' : ''}`}
        aria-label={t('GoToAssessmentOf', { name: plainName(instance.name) })}
        // two coaches may give the same assessment
        aria-describedby={coach && coachId}
      >
        {t('GoToAssessment')}
      </Link>
    </article>
  )
}

/** Something of it is not in the account, or it is not ready for use offline. */
function waits({ unsent, unwritten, unwrittenElsewhere, late, finish, trouble, readiness }: DeviceStatus): boolean {
  return unsent + unwritten + unwrittenElsewhere + late > 0 || finish !== null || trouble !== null || readiness?.state === 'lacking'
}
