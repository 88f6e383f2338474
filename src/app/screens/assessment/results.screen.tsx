/** /assessment/{assessmentInstanceId}/results: what is clear, one picture, then words. RESULTS-1 to RESULTS-12 */
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link, useParams } from 'wouter'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { formatDate } from '#app/i18n/format.ts'
import type { LocalizedResults } from '#app/device/results.ts'
import { AsOf } from '#app/parts/assessment/as-of.tsx'
import { AssessmentName } from '#app/parts/assessment/assessment-name.tsx'
import { ResultLineText } from '#app/parts/assessment/result-line-text.tsx'
import '#app/parts/grass.css'
import { RoleGate } from '#app/parts/steps/role-gate.tsx'
import { paths } from '#app/paths.ts'
import { BrandMark } from '#app/ui/layout/brand.tsx'
import { Button } from '#app/ui/forms/button.tsx'
import { Page } from '#app/ui/layout/page.tsx'
import { Skeleton } from '#app/ui/layout/skeletons.tsx'
import type { ResultText } from '#contract/assessments.ts'
import { ownResults, type InstanceSummary, type Results } from '#contract/instances.ts'
import { CoachReportLink } from './results/coach-report-link.tsx'
import { ModePitch } from './results/mode-pitch.tsx'
import { NoResults } from './results/no-results.tsx'
import { Reports } from './results/report.tsx'
import { PreferenceBars } from './results/preference-bars.tsx'
import { overviewParagraph } from '#contract/rules/paragraph-marks.ts'
import { OVERVIEW_HEADINGS, overviewNoteKey, STAND_OUT } from '#contract/rules/result-keys.ts'
import { paragraphsOf } from '#contract/rules/result-picture.ts'
import { ModeTable, PreferenceTable } from './results/result-tables.tsx'
import styles from './results/results.module.css'
import { ResultDoubts } from './results/result-doubts.tsx'
import { Reclaimed } from './reclaimed.tsx'
import { useInstanceSummary } from './use-instance-summary.ts'
import { SinceLast } from './results/since-last.tsx'
import { MarksNote, ParagraphMark } from './results/paragraph-marks.tsx'
import { TypeTexts } from './results/type-texts.tsx'
import { useMarks, type MarksOfResult } from './results/use-marks.ts'
import { useEarlierResult } from './results/use-earlier-result.ts'
import { useResults } from './results/use-results.ts'
import { Letters, WhatIsClear } from './results/what-is-clear.tsx'

export default function ResultsScreen() {
  return (
    <RoleGate of="player">
      <OwnResults />
    </RoleGate>
  )
}

function OwnResults() {
  const { i18n } = useTranslation(['assessment', 'results'])
  const { assessmentInstanceId: instanceId } = useParams<{ assessmentInstanceId: string }>()
  const userId = useReaderId()
  const found = useResults(userId, instanceId, i18n.language)
  switch (found.state) {
    case 'loading':
      return <Loading />
    case 'ready':
      return <FoundResults userId={userId} read={found.read} at={found.at} isStored={found.isStored} />
    case 'not-on-device':
      return <ResultsFromList userId={userId} instanceId={instanceId} onTryAgain={found.refetch} />
    case 'not-found':
    case 'failed':
      return <NoResults userId={userId} instanceId={instanceId} state={found.state} onTryAgain={found.refetch} />
  }
}

function Loading() {
  const { t } = useTranslation(['assessment', 'results'])
  return (
    <Page title={t('results:ResultsTitle')} width="middle" intro={'\u00a0'}>
      <div className={`grass ${styles.placeholder}`} />
      <Skeleton bars={[3, 20]} />
    </Page>
  )
}

/** For results never opened on this device: the dashboard's list has the scores, or how many answers are missing. */
function ResultsFromList({ userId, instanceId, onTryAgain }: { userId: string | undefined; instanceId: string; onTryAgain: () => void }) {
  const { t } = useTranslation(['assessment', 'results'])
  const listed = useInstanceSummary(userId, instanceId)
  if (listed.state === 'loading') return <Loading />
  if (listed.state === 'reclaimed') return <Reclaimed title={t('results:ResultsTitle')} />
  if (listed.state !== 'ready') return <NoResults userId={userId} instanceId={instanceId} state="not-on-device" onTryAgain={onTryAgain} />
  return <FoundResults userId={userId} read={{ summary: listed.summary, text: null }} at={listed.at} isStored />
}

interface FoundResultsProps {
  userId: string | undefined
  read: LocalizedResults
  at: number
  isStored: boolean
}

function FoundResults({ userId, read, at, isStored }: FoundResultsProps) {
  const { t } = useTranslation(['assessment', 'results'])
  if (read.summary.status === 'RECLAIMED') return <Reclaimed title={t('results:ResultsTitle')} />
  const results = ownResults(read.summary)
  if (!results) return <NoResults userId={userId} instanceId={read.summary.instanceId} summary={read.summary} />
  return <ResultsPage userId={userId} read={read} results={results} at={at} isStored={isStored} />
}

interface ResultsPageProps extends FoundResultsProps {
  results: Results
}

function ResultsPage({ userId, read: { summary, text }, results, at, isStored }: ResultsPageProps) {
  const { t } = useTranslation(['assessment', 'results', 'parts'])
  const earlier = useEarlierResult(userId, summary)
  const marks = useMarks(summary.instanceId)
  const comparable = earlier?.isOtherVersion ? undefined : earlier?.results
  return (
    <Page
      title={t('results:ResultsTitle')}
      heading={<ResultLineText results={results} noClearStyle={t('parts:NoClearStyle')} />}
      width="middle"
      intro={
        <>
          <AssessmentName name={summary.name} /> ·{'\u00a0'}
          {t('results:ResultsCompletedOn', { date: formatDate(summary.completedDate) })}
        </>
      }
    >
      <PrintHeader summary={summary} />
      <AsOf at={at} isStored={isStored} />
      <WhatIsClear results={results} />
      {earlier && <SinceLast results={results} earlier={earlier} />}
      <div className={`grass ${styles.picture}`}>
        <PreferenceBars results={results} earlier={comparable} />
        <ModePitch section={results.Section1} earlier={comparable?.Section1} />
      </div>
      <details className={styles.figures}>
        <summary>{t('results:ResultsFigures')}</summary>
        <div className={styles.tables}>
          <PreferenceTable results={results} earlier={comparable} />
          <ModeTable section={results.Section1} earlier={comparable?.Section1} />
        </div>
      </details>
      <div className={styles.texts}>
        <Limits doubts={results.doubts} />
        <div className={styles.overview}>
          <Letters results={results} />
          {text ? (
            <>
              <MarksNote marks={marks} />
              <Overview results={results} text={text} marks={marks} />
              <TypeTexts results={results} text={text} marks={marks} />
            </>
          ) : (
            <p className="notice">{t('results:ResultsTextMissing')}</p>
          )}
        </div>
        <div className={styles.aside}>
          {text && <Performers text={text} />}
          <Reports summary={summary} />
          <CoachReportLink summary={summary} />
        </div>
      </div>
      <div className={styles.buttons}>
        <Link href={paths.home()} className="button button-primary">
          {t('ReturnToDashboard')}
        </Link>
        <Button onClick={() => window.print()}>{t('results:ResultsPrint')}</Button>
      </div>
    </Page>
  )
}

/** Printed only: the brand mark and the player's name. */
function PrintHeader({ summary }: { summary: InstanceSummary }) {
  const { t } = useTranslation('shell')
  return (
    <p className={styles.printHeader}>
      <BrandMark size={28} />
      {[t('Brand'), [summary.userName, summary.userLastname].filter(Boolean).join(' ')].filter(Boolean).join(' · ')}
    </p>
  )
}

interface OverviewProps {
  results: Results
  text: ResultText
  marks: MarksOfResult | undefined
}

function Overview({ results, text, marks }: OverviewProps) {
  const { t } = useTranslation(['assessment', 'results'])
  const noteKey = overviewNoteKey(results)
  const paragraphs = paragraphsOf(text.characterOverview.content)
  const headings = OVERVIEW_HEADINGS[paragraphs.length]
  return (
    <section className={styles.section} aria-labelledby="overview">
      <h2 id="overview">{t('results:ResultsOverviewTitle')}</h2>
      {noteKey && <p className="soft">{t(`results:${noteKey}`, { style: results.Section1.result, type: results.section2.label })}</p>}
      {paragraphs.map((paragraph, index) => (
        <div key={paragraph} className={styles.part}>
          {headings?.[index] && <h3>{t(`results:${headings[index]}`)}</h3>}
          <p>{paragraph}</p>
          {headings?.[index] === STAND_OUT && <p className="soft">{t('results:ResultsOverviewStandOutLimit')}</p>}
          <ParagraphMark
            marks={marks}
            paragraph={overviewParagraph(index)}
            part={headings?.[index] ? t(`results:${headings[index]}`) : t('results:ResultsMarkPart', { number: index + 1 })}
          />
        </div>
      ))}
    </section>
  )
}

function Performers({ text }: { text: ResultText }) {
  const { t } = useTranslation(['assessment', 'results'])
  const performers = text.sportsPerformers.content
  if (performers.length === 0) return null
  return (
    <section className={styles.section} aria-labelledby="performers">
      <h2 id="performers">{t('results:ResultsPerformersTitle')}</h2>
      <p>{t('results:ResultsPerformersText')}</p>
      <ul className={styles.performers}>
        {performers.map(({ sportPerson }) => (
          <li key={sportPerson}>{sportPerson}</li>
        ))}
      </ul>
    </section>
  )
}

function Limits({ doubts }: { doubts: Results['doubts'] }) {
  const { t } = useTranslation(['assessment', 'results'])
  return (
    <section className={`notice ${styles.section} ${styles.limits}`} aria-labelledby="limits">
      <h2 id="limits">{t('results:ResultsLimitsTitle')}</h2>
      <p>
        {t('results:ResultsLimitsText')} <Link href={paths.limits()}>{t('LimitsLink')}</Link>
      </p>
      {doubts && <ResultDoubts doubts={doubts} />}
    </section>
  )
}
