import { Link } from 'wouter'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { paths } from '#app/paths.ts'
import type { InstanceSummary } from '#contract/instances.ts'
import { isFromCoach } from '#contract/rules/statuses.ts'
import styles from './results.module.css'

/** To the page that the coach reads, if a coach gave the assessment. TEAM-22 */
export function CoachReportLink({ summary }: { summary: InstanceSummary }) {
  const { t } = useTranslation(['assessment', 'results'])
  // not by the coach's name, which may be missing
  if (!isFromCoach(summary)) return null
  const { isCoachClosed, isCoachErased } = summary
  const name = isCoachErased ? 'ResultsErasedCoachReport' : isCoachClosed ? 'ResultsClosedCoachReport' : 'ResultsCoachReport'
  return (
    <p className={styles.report}>
      <Link href={paths.coachReport(summary.instanceId)} className={styles.reportLink}>
        {t(`results:${name}`)}
      </Link>
    </p>
  )
}
