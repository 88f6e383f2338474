import { useId } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link } from 'wouter'
import { formatDate } from '#app/i18n/format.ts'
import { AssessmentName } from '#app/parts/assessment/assessment-name.tsx'
import { paths } from '#app/paths.ts'
import { PlaceholderLink } from '#app/ui/layout/placeholder-link.tsx'
import type { InstanceSummary } from '#contract/instances.ts'
import { isFromCoach } from '#contract/rules/statuses.ts'
import { plainName } from '#contract/rules/assessment-name.ts'
import { Panel } from '#app/parts/dashboard/panel.tsx'
import { coachName } from './panels.ts'
import { VideoLinks } from './video-links.tsx'

/** COMPLETED instances, with links to their results. HOME-9 */
export function PastAssessments({ instances, isNext }: { instances: readonly InstanceSummary[]; isNext: boolean }) {
  const { t } = useTranslation('player')
  return (
    <Panel title={t('PastAssessmentsTitle')}>
      {instances.length === 0 ? (
        <p className="nothing">{t('NoCompletedAssessments')}</p>
      ) : (
        <ul className="dashboard-list">
          {instances.map((instance, at) => (
            <li key={instance.instanceId}>
              <PastCard instance={instance} isNext={isNext && at === 0} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function PastCard({ instance, isNext }: { instance: InstanceSummary; isNext: boolean }) {
  const { t } = useTranslation('player')
  const coach = coachName(instance)
  const whenId = useId()
  const coachId = useId()
  const shareNote = useId()
  const whoReads = () => {
    if (instance.isCoachErased) return t('ErasedCoachReads')
    if (instance.isCoachClosed) return t('ClosedCoachReads')
    return coach === undefined ? t('SomeCoachReads') : t('CoachReads', { name: coach })
  }
  return (
    <article className="card player-past">
      <h3>
        <AssessmentName name={instance.name} />
      </h3>
      <p id={whenId} className="soft">
        {t('CompletedOn', { date: formatDate(instance.completedDate) })}
      </p>
      {coach && (
        <p id={coachId} className="soft">
          {t('GivenByCoach', { name: coach })}
        </p>
      )}
      <div className="card-actions">
        <ViewResults instance={instance} isNext={isNext} describedBy={coach ? `${whenId} ${coachId}` : whenId} />
        {/* does nothing yet: HOME-10 */}
        <PlaceholderLink describedBy={shareNote}>{t('ShareWithCoach')}</PlaceholderLink>
      </div>
      <p id={shareNote} className="soft small">
        {!isFromCoach(instance) ? (
          t('ShareWithCoachNotYet')
        ) : (
          <>
            {whoReads()} <Link href={paths.coachReport(instance.instanceId)}>{t('CoachReadsLink')}</Link>
          </>
        )}
      </p>
      <VideoLinks entries={instance.videoUrls} />
    </article>
  )
}

interface ResultsProps {
  instance: InstanceSummary
  isNext: boolean
  /** ids of what tells it from others of the same assessment */
  describedBy: string
}

/** Disabled if the instance has no id. HOME-9 */
function ViewResults({ instance, isNext, describedBy }: ResultsProps) {
  const { t } = useTranslation('player')
  const label = t('ViewResultsOf', { name: plainName(instance.name) })
  return instance.instanceId ? (
    <Link
      href={paths.results(instance.instanceId)}
      className={`button ${isNext ? 'button-primary' : ''}`}
      aria-label={label}
      aria-describedby={describedBy}
    >
      {t('ViewResults')}
    </Link>
  ) : (
    <button type="button" disabled className="button" aria-label={label}>
      {t('ViewResults')}
    </button>
  )
}
