import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { AssessmentName, plainName } from '#app/parts/assessment-name.tsx'
import type { DeviceStatus } from '#app/offline/status.ts'
import type { InstanceSummary } from '#contract/instances.ts'
import { DeviceState } from './device-state.tsx'
import styles from './home.module.css'
import { LoadError, Panel } from './panel.tsx'
import { answeredOf, coachName, statusShown } from './panels.ts'
import { StatusBadge } from './status-badge.tsx'

interface Props {
  hasFailed: boolean
  onTryAgain: () => void
  instances: readonly InstanceSummary[]
  onDevice: readonly DeviceStatus[]
  /** where an instance opens: §4 Profile-completeness routing */
  pathOf: (instanceId: string) => string
}

/** What is open; hidden when empty. §2 In-progress assessments */
export function InProgressAssessments({ hasFailed, onTryAgain, instances, onDevice, pathOf }: Props) {
  const { t } = useTranslation('home')
  if (!hasFailed && instances.length === 0) return null
  return (
    <Panel title={t('InProgressAssessmentsTitle')}>
      {hasFailed ? (
        <LoadError onTryAgain={onTryAgain} />
      ) : (
        <ul className={styles.cards}>
          {instances.map((instance) => (
            <li key={instance.instanceId}>
              <OpenCard
                instance={instance}
                status={onDevice.find((one) => one.instanceId === instance.instanceId)}
                path={pathOf(instance.instanceId)}
              />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function OpenCard({ instance, status, path }: { instance: InstanceSummary; status: DeviceStatus | undefined; path: string }) {
  const { t } = useTranslation('home')
  const coach = coachName(instance)
  const answered = answeredOf(instance, status)
  return (
    <article className={`card ${styles.card}`}>
      <div className={styles.cardTop}>
        <h3>
          <AssessmentName name={instance.name} />
        </h3>
        <StatusBadge status={statusShown(instance, status)} />
      </div>
      {coach && <p className="soft">{t('GivenByCoach', { name: coach })}</p>}
      <p>{t('AnsweredOf', { answered, total: instance.itemCount })}</p>
      <progress className={styles.progress} max={instance.itemCount} value={answered} aria-hidden="true" />
      <DeviceState status={status} />
      <Link href={path} className="button button-primary" aria-label={t('GoToAssessmentOf', { name: plainName(instance.name) })}>
        {t('GoToAssessment')}
      </Link>
    </article>
  )
}
