import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { formatDate } from '#app/i18n/format.ts'
import { AssessmentName, plainName } from '#app/parts/assessment-name.tsx'
import { paths } from '#app/paths.ts'
import type { InstanceSummary } from '#contract/instances.ts'
import styles from './home.module.css'
import { Panel } from './panel.tsx'
import { coachName } from './panels.ts'
import { VideoLinks } from './video-links.tsx'

/** COMPLETED instances, with the way to their results. §2 Past assessments */
export function PastAssessments({ instances }: { instances: readonly InstanceSummary[] }) {
  const { t } = useTranslation('home')
  return (
    <Panel title={t('PastAssessmentsTitle')}>
      {instances.length === 0 ? (
        <p className="soft">{t('NoCompletedAssessments')}</p>
      ) : (
        <ul className={styles.cards}>
          {instances.map((instance) => (
            <li key={instance.instanceId}>
              <PastCard instance={instance} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function PastCard({ instance }: { instance: InstanceSummary }) {
  const { t } = useTranslation('home')
  const coach = coachName(instance)
  return (
    <article className={`card ${styles.card}`}>
      <h3>
        <AssessmentName name={instance.name} />
      </h3>
      <p>{t('CompletedOn', { date: formatDate(instance.completedDate) })}</p>
      {coach && <p className="soft">{t('GivenByCoach', { name: coach })}</p>}
      <div className={styles.actions}>
        <ViewResults instance={instance} />
        {/* a link without action, as specified: §2, ruling 29 */}
        <span role="link" aria-disabled="true" className={styles.deadLink}>
          {t('ShareWithCoach')}
        </span>
      </div>
      <VideoLinks entries={instance.videoUrls} />
    </article>
  )
}

/** Disabled without an instanceId. §2 */
function ViewResults({ instance }: { instance: InstanceSummary }) {
  const { t } = useTranslation('home')
  const label = t('ViewResultsOf', { name: plainName(instance.name) })
  return instance.instanceId ? (
    <Link href={paths.results(instance.instanceId)} className="button" aria-label={label}>
      {t('ViewResults')}
    </Link>
  ) : (
    <button type="button" disabled className="button" aria-label={label}>
      {t('ViewResults')}
    </button>
  )
}
