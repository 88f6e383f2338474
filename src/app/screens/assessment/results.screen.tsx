/** /assessment/{assessmentInstanceId}/results: type pair, one picture, then words. §2, §3 Report content, rulings 19, 29 */
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'wouter'
import { mediaUrl } from '#app/api/base-url.ts'
import { useReaderId } from '#app/api/use-call.ts'
import { formatDate } from '#app/i18n/format.ts'
import type { ResultsRead } from '#app/offline/results.ts'
import { AsOf } from '#app/parts/as-of.tsx'
import { AssessmentName } from '#app/parts/assessment-name.tsx'
import { paths } from '#app/paths.ts'
import { Button } from '#app/ui/button.tsx'
import { Page } from '#app/ui/page.tsx'
import { Skeleton } from '#app/ui/skeletons.tsx'
import type { ResultText } from '#contract/assessments.ts'
import type { Results } from '#contract/instances.ts'
import { ModePitch } from './mode-pitch.tsx'
import { NoResults } from './no-results.tsx'
import { PreferenceBars } from './preference-bars.tsx'
import { paragraphsOf, typePair } from './result-picture.ts'
import styles from './results.module.css'
import { useInstanceSummary } from './use-instance-summary.ts'
import { useResults } from './use-results.ts'

export default function ResultsScreen() {
  const { i18n } = useTranslation('assessment')
  const { assessmentInstanceId: instanceId } = useParams<{ assessmentInstanceId: string }>()
  const userId = useReaderId()
  const found = useResults(userId, instanceId, i18n.language)
  switch (found.state) {
    case 'loading':
      return <Loading />
    case 'ready':
      return <Found userId={userId} read={found.read} at={found.at} isStored={found.isStored} />
    case 'not-on-device':
      return <FromTheList userId={userId} instanceId={instanceId} onTryAgain={found.refetch} />
    case 'not-found':
    case 'failed':
      return <NoResults userId={userId} instanceId={instanceId} state={found.state} onTryAgain={found.refetch} />
  }
}

function Loading() {
  const { t } = useTranslation('assessment')
  return (
    <Page title={t('ResultsTitle')}>
      <Skeleton bars={[1.5, 16, 20, 8]} />
    </Page>
  )
}

/** Results that were never opened here: the dashboard's list still knows the scores, or what is missing. */
function FromTheList({ userId, instanceId, onTryAgain }: { userId: string | undefined; instanceId: string; onTryAgain: () => void }) {
  const listed = useInstanceSummary(userId, instanceId)
  if (listed.state === 'loading') return <Loading />
  if (listed.state !== 'ready') return <NoResults userId={userId} instanceId={instanceId} state="not-on-device" onTryAgain={onTryAgain} />
  return <Found userId={userId} read={{ summary: listed.summary, text: null }} at={listed.at} isStored />
}

interface FoundProps {
  userId: string | undefined
  read: ResultsRead
  at: number
  isStored: boolean
}

function Found({ userId, read, at, isStored }: FoundProps) {
  if (!read.summary.results) return <NoResults userId={userId} instanceId={read.summary.instanceId} summary={read.summary} />
  return <ResultsPage read={read} results={read.summary.results} at={at} isStored={isStored} />
}

interface ResultsPageProps extends Omit<FoundProps, 'userId'> {
  results: Results
}

function ResultsPage({ read: { summary, text }, results, at, isStored }: ResultsPageProps) {
  const { t } = useTranslation('assessment')
  return (
    <Page
      title={t('ResultsTitle')}
      heading={typePair(results)}
      intro={
        <>
          <AssessmentName name={summary.name} /> · {t('ResultsCompletedOn', { date: formatDate(summary.completedDate) })}
        </>
      }
    >
      <AsOf at={at} isStored={isStored} />
      <PreferenceBars results={results} />
      <ModePitch section={results.Section1} />
      {text ? <Words text={text} /> : <p className="notice">{t('ResultsTextMissing')}</p>}
      <Report />
      <section className={styles.limits} aria-labelledby="limits">
        <h2 id="limits">{t('ResultsLimitsTitle')}</h2>
        <p>
          {t('ResultsLimitsText')} <Link href={paths.about()}>{t('ResultsLimitsLink')}</Link>
        </p>
      </section>
      <div className={styles.actions}>
        <Link href={paths.home()} className="button button-primary">
          {t('ResultsReturn')}
        </Link>
        <Button onClick={() => window.print()}>{t('ResultsPrint')}</Button>
      </div>
    </Page>
  )
}

function Words({ text }: { text: ResultText }) {
  const { t } = useTranslation('assessment')
  const performers = text.sportsPerformers.content
  return (
    <>
      <section className={styles.section} aria-labelledby="overview">
        <h2 id="overview">{t('ResultsOverviewTitle')}</h2>
        {paragraphsOf(text.characterOverview.content).map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </section>
      {performers.length > 0 && (
        <section className={styles.section} aria-labelledby="performers">
          <h2 id="performers">{t('ResultsPerformersTitle')}</h2>
          <p>{t('ResultsPerformersText')}</p>
          <ul className={styles.performers}>
            {performers.map(({ sportPerson }) => (
              <li key={sportPerson}>{sportPerson}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function Report() {
  const { t } = useTranslation('assessment')
  return (
    <section className={styles.section} aria-labelledby="report">
      <h2 id="report">{t('ResultsReportTitle')}</h2>
      <p>{t('ResultsReportText')}</p>
      <a href={`${mediaUrl}sample/assessmentSampleReportImpact.pdf`} target="_blank" rel="noopener noreferrer" className={styles.report}>
        {t('ResultsReportLink')}
        <span className="visually-hidden"> ({t('ResultsOpensInNewTab')})</span>
      </a>
    </section>
  )
}
