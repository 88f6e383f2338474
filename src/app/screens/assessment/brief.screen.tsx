/** /assessment/{assessmentInstanceId}/brief: what comes, who sees it, and the start. §2, rulings 2, 26, 29 */
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'wouter'
import { useReaderId } from '#app/api/use-call.ts'
import { useDeviceStatuses } from '#app/offline/status.ts'
import { AssessmentName } from '#app/parts/assessment-name.tsx'
import { paths } from '#app/paths.ts'
import { Button } from '#app/ui/button.tsx'
import { Page } from '#app/ui/page.tsx'
import { Skeleton } from '#app/ui/skeletons.tsx'
import { useIsMobile } from '#app/ui/use-is-mobile.ts'
import type { InstanceSummary } from '#contract/instances.ts'
import styles from './brief.module.css'
import { MobileWarning } from './mobile-warning.tsx'
import { useInstanceSummary } from './use-instance-summary.ts'

export default function BriefScreen() {
  const { assessmentInstanceId } = useParams<{ assessmentInstanceId: string }>()
  const isMobile = useIsMobile()
  const [isWarned, setIsWarned] = useState(false)
  const userId = useReaderId()
  const read = useInstanceSummary(userId, assessmentInstanceId)

  if (isMobile && !isWarned) return <MobileWarning onContinue={() => setIsWarned(true)} />
  if (read.state === 'ready') return <Brief summary={read.summary} userId={userId} />
  return <NoBrief state={read.state} onTryAgain={'refetch' in read ? read.refetch : undefined} />
}

const PROBLEMS = { 'not-found': 'BriefNotFound', 'not-on-device': 'BriefNotOnDevice', failed: 'BriefFailed' } as const

function NoBrief({ state, onTryAgain }: { state: 'loading' | keyof typeof PROBLEMS; onTryAgain: (() => void) | undefined }) {
  const { t } = useTranslation('assessment')
  return (
    <Page title={t('BriefTitle')}>
      {state === 'loading' ? (
        <Skeleton bars={[1.5, 10, 8, 3]} />
      ) : (
        <>
          <p role="alert">{t(PROBLEMS[state])}</p>
          <div className={styles.actions}>
            {state !== 'not-found' && <Button onClick={onTryAgain}>{t('BriefTryAgain')}</Button>}
            <Link href={paths.home()} className="button">
              {t('BriefMobileReturn')}
            </Link>
          </div>
        </>
      )}
    </Page>
  )
}

function Brief({ summary, userId }: { summary: InstanceSummary; userId: string | undefined }) {
  const { t } = useTranslation('assessment')
  const status = useDeviceStatuses(userId).find((one) => one.instanceId === summary.instanceId)
  const answered = Math.min(summary.itemCount, Math.max(summary.answeredCount, status?.answered ?? 0))
  const hasBegun = summary.status === 'IN_PROGRESS' || answered > 0
  return (
    <Page title={t('BriefTitle')} heading={<AssessmentName name={summary.name} />} intro={t('BriefTitle')}>
      <ul className={styles.bullets}>
        <li>{t('BriefBulletHonest')}</li>
        <li>{t('BriefBulletMinutes', { count: summary.estimatedTimeMinutes })}</li>
        <li>{t('BriefBulletPause')}</li>
        <li>{t('BriefBulletNoSignal')}</li>
      </ul>
      <WhoSeesWhat summary={summary} />
      {summary.status === 'COMPLETED' ? (
        <Completed instanceId={summary.instanceId} />
      ) : (
        <div className={styles.actions}>
          {hasBegun && <p className={styles.progress}>{t('BriefProgress', { answered, total: summary.itemCount })}</p>}
          <Link href={paths.test(summary.instanceId)} className="button button-primary">
            {t(hasBegun ? 'BriefContinue' : 'BriefStart')}
          </Link>
          <Link href={paths.home()} className={styles.return}>
            {t(hasBegun ? 'BriefReturnLater' : 'BriefReturn')}
          </Link>
        </div>
      )}
    </Page>
  )
}

/** Told before the first answer. Ruling 29 */
function WhoSeesWhat({ summary }: { summary: InstanceSummary }) {
  const { t } = useTranslation('assessment')
  const coach = [summary.coachFirstName, summary.coachLastName].filter(Boolean).join(' ')
  return (
    <section className={styles.whoSees} aria-labelledby="who-sees-what">
      <h2 id="who-sees-what">{t('BriefWhoSeesTitle')}</h2>
      <ul className={styles.bullets}>
        <li>{t('BriefWhoSeesAnswers')}</li>
        <li>{coach ? t('BriefWhoSeesCoach', { name: coach }) : t('BriefWhoSeesNoCoach')}</li>
      </ul>
      <p>
        {t('BriefLimits')} <Link href={paths.about()}>{t('BriefLimitsLink')}</Link>
      </p>
    </section>
  )
}

function Completed({ instanceId }: { instanceId: string }) {
  const { t } = useTranslation('assessment')
  return (
    <div className={styles.actions}>
      <p className={styles.progress}>{t('BriefDone')}</p>
      <Link href={paths.results(instanceId)} className="button button-primary">
        {t('BriefDoneLink')}
      </Link>
    </div>
  )
}
