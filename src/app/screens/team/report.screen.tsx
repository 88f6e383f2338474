/** /team/{assessmentInstanceId}/report: the coach's page of a player, which the player may read too. TEAM-8, TEAM-21 to TEAM-23 */
import { Link, useParams } from 'wouter'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { useOfflineCall, type OfflineCall } from '#app/device/use-offline-call.ts'
import { formatDate } from '#app/i18n/format.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import '#app/parts/actions.css'
import { AsOf } from '#app/parts/assessment/as-of.tsx'
import { AssessmentName } from '#app/parts/assessment/assessment-name.tsx'
import { paths } from '#app/paths.ts'
import { useSession } from '#app/session/use-session.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { Page } from '#app/ui/layout/page.tsx'
import { Skeleton } from '#app/ui/layout/skeletons.tsx'
import { instancesForCoach, type CoachReport } from '#contract/instances.coach.ts'
import { Advice, Questions } from './report/advice.tsx'
import { isFromTeam } from './people.ts'
import styles from './report/report.module.css'
import { WhatIsClear } from './report/what-is-clear.tsx'

export default function CoachReportScreen() {
  const { t } = useTranslation('team')
  const { assessmentInstanceId: instanceId } = useParams<{ assessmentInstanceId: string }>()
  const userId = useReaderId()
  const options = { enabled: userId !== undefined, isStoredInEveryLanguage: true }
  const read = useOfflineCall(instancesForCoach.coachReport, { params: { instanceId } }, options)
  // a refusal replaces what was read before: the account may have been closed since
  const problem = problemOf(read)
  if (problem) return <NoReport problem={problem} onTryAgain={read.refetch} />
  if (!read.data)
    return (
      <Page title={t('CoachReportTitle')} width="middle" intro={'\u00a0'}>
        <Skeleton bars={[3, 6, 12]} />
      </Page>
    )
  return <Report report={read.data} at={read.at} isStored={read.isStored} language={read.language} />
}

/** Translation keys of why there is no report, by the server's refusal. */
const REFUSALS: Partial<Record<string, Problem>> = {
  NOT_FOUND: 'CoachReportNotFound',
  NOT_COMPLETE: 'CoachReportNotComplete',
  NO_REPORT_YET: 'CoachReportNotComplete',
  ALREADY_RECLAIMED: 'CoachReportReclaimed',
  INSTANCE_RECLAIMED: 'CoachReportReclaimed',
}

type Problem = 'CoachReportNotFound' | 'CoachReportNotComplete' | 'CoachReportReclaimed' | 'CoachReportNotOnDevice' | 'CoachReportFailed'

function problemOf({ data, error, isPending, isUnreachable }: OfflineCall<CoachReport>): Problem | undefined {
  const refused = error?.code && REFUSALS[error.code]
  if (refused) return refused
  if (data || isPending) return undefined
  return isUnreachable ? 'CoachReportNotOnDevice' : 'CoachReportFailed'
}

function NoReport({ problem, onTryAgain }: { problem: Problem; onTryAgain: () => void }) {
  const { t } = useTranslation(['team', 'parts', 'shell'])
  const mayHelp = problem === 'CoachReportNotOnDevice' || problem === 'CoachReportFailed'
  return (
    <Page title={t('CoachReportTitle')}>
      <p role="alert">{t(problem)}</p>
      <div className="actions message">
        {mayHelp && (
          <Button variant="primary" onClick={onTryAgain}>
            {t('parts:TryAgain')}
          </Button>
        )}
        <Link href={paths.home()} className={`button ${mayHelp ? '' : 'button-primary'}`}>
          {t('shell:ReturnToDashboard')}
        </Link>
      </div>
    </Page>
  )
}

interface ReportProps extends Pick<OfflineCall<CoachReport>, 'at' | 'isStored' | 'language'> {
  report: CoachReport
}

function Report({ report, at, isStored, language }: ReportProps) {
  const { t, i18n } = useTranslation(['team', 'parts', 'shell'])
  const isOwn = useSession().userTypeCode === 'player'
  const name = [report.userName, report.userLastname].filter(Boolean).join(' ')
  const forPlayer = report.isCoachErased
    ? 'CoachReportForPlayerErased'
    : report.isCoachClosed
      ? 'CoachReportForPlayerClosed'
      : 'CoachReportForPlayer'
  const whoReads = isOwn ? forPlayer : 'CoachReportForCoach'
  return (
    <Page
      title={t('CoachReportTitle')}
      heading={name || t('CoachReportTitle')}
      width="middle"
      intro={
        <>
          <AssessmentName name={report.name} /> ·{'\u00a0'}
          {t('CoachReportCompletedOn', { date: formatDate(report.completedDate) })}
        </>
      }
    >
      <p className={styles.everySheet} aria-hidden="true">
        {/* a name that is read from right to left would take the day to its other side */}
        <bdi>{name}</bdi> · {formatDate(report.completedDate)}
      </p>
      <AsOf at={at} isStored={isStored} />
      {language !== i18n.language && (
        <p className={`notice notice-wait ${styles.text}`}>
          {t('CoachReportOtherLanguage', { language: new Intl.DisplayNames(i18n.language, { type: 'language' }).of(language) })}
        </p>
      )}
      <p className={`notice ${styles.text}`}>
        {t('TeamLimits')} <Link href={paths.limits()}>{t('TeamLimitsLink')}</Link>
      </p>
      <p className={`soft ${styles.text}`}>{t(whoReads)}</p>
      <WhatIsClear results={report.results} />
      <Advice situations={report.advice.situations} />
      <Questions questions={report.advice.questions} />
      <div className={styles.buttons}>
        <Link
          href={isOwn ? paths.results(report.instanceId) : paths.home()}
          className="button button-primary"
          onClick={(event) => {
            if (!isFromTeam()) return
            event.preventDefault()
            history.back()
          }}
        >
          {t(isOwn ? 'CoachReportBackToResults' : 'shell:ReturnToDashboard')}
        </Link>
        <Button onClick={() => window.print()}>{t('TeamPrint')}</Button>
      </div>
    </Page>
  )
}
