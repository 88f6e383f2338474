/** /assessment/{assessmentInstanceId}/brief: what the assessment asks, who sees the answers, and the start. BRIEF-2 to BRIEF-8 */
import { useMemo } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link, Redirect, useParams } from 'wouter'
import { useReachable } from '#app/api/use-network-state.ts'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { useOnDevice } from '#app/device/use-on-device.ts'
import { useNeedsConnection } from '#app/device/readiness/use-needs-connection.ts'
import { usePrepared } from '#app/device/readiness/use-prepared.ts'
import { DashboardLink } from '#app/parts/dashboard-link.tsx'
import '#app/parts/actions.css'
import { AssessmentName } from '#app/parts/assessment/assessment-name.tsx'
import { DeviceUnreadable } from '#app/parts/assessment/device-unreadable.tsx'
import '#app/parts/grass.css'
import { RoleGate } from '#app/parts/steps/role-gate.tsx'
import { StepLine } from '#app/parts/steps/step-line.tsx'
import { useProfile } from '#app/parts/person/use-profile.ts'
import { paths } from '#app/paths.ts'
import { useSession } from '#app/session/use-session.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { Page } from '#app/ui/layout/page.tsx'
import { Skeleton } from '#app/ui/layout/skeletons.tsx'
import { useIsMobile } from '#app/ui/browser/use-is-mobile.ts'
import { useSeen } from '#app/ui/browser/use-seen.ts'
import type { InstanceSummary } from '#contract/instances.ts'
import { canOpenBrief } from '#contract/rules/profile.ts'
import { isFromCoach, isOpen } from '#contract/rules/statuses.ts'
import { BriefNotice } from './brief/brief-notice.tsx'
import styles from './brief/brief.module.css'
import { reportBriefOpened } from './brief/report-brief-opened.ts'
import { MobileWarning, useSmallScreenWarning } from './brief/mobile-warning.tsx'
import { Reclaimed } from './reclaimed.tsx'
import { useInstanceSummary } from './use-instance-summary.ts'
import { useSwitchAccount } from './brief/use-switch-account.ts'

export default function BriefScreen() {
  return (
    <RoleGate of="player">
      <OwnBrief />
    </RoleGate>
  )
}

function OwnBrief() {
  const { assessmentInstanceId } = useParams<{ assessmentInstanceId: string }>()
  const isMobile = useIsMobile()
  const warning = useSmallScreenWarning()
  const userId = useReaderId()
  const read = useInstanceSummary(userId, assessmentInstanceId)
  const isReachable = useReachable()
  const profile = useProfile()

  // an invitation links here too (HOME-14). Offline the details cannot be saved, so Submit asks for them later (QUESTIONS-19)
  const isUntouched = read.state === 'ready' && (read.summary.status === 'ALLOCATED' || read.summary.status === 'OWNED')
  const isIncomplete = profile.data !== undefined && !canOpenBrief(profile.data)
  // the cached profile may be older than the saved form: wait for a fresh one before sending the player back to the form
  if (isUntouched && isReachable && (profile.isPending || (isIncomplete && profile.isFetching)))
    return <NoBrief state="loading" onTryAgain={undefined} />
  if (isUntouched && isReachable && isIncomplete) return <Redirect to={paths.confirmDetails(assessmentInstanceId)} replace />
  // only before the first start, and once on this device
  if (isMobile && isUntouched && !warning.isRead) return <MobileWarning onContinue={warning.markRead} />
  if (read.state === 'ready') return <Brief summary={read.summary} userId={userId} />
  return <NoBrief state={read.state} onTryAgain={'refetch' in read ? read.refetch : undefined} />
}

const PROBLEMS = { 'not-on-device': 'NotOnDevice', failed: 'ErrorLoadingAssessment' } as const

function NoBrief({
  state,
  onTryAgain,
}: {
  state: 'loading' | 'not-found' | 'reclaimed' | keyof typeof PROBLEMS
  onTryAgain: (() => void) | undefined
}) {
  const { t } = useTranslation(['assessment', 'brief'])
  if (state === 'loading') {
    return (
      <Page title={t('brief:BriefTitle')} intro={'\u00a0'}>
        <div className={`grass ${styles.placeholder}`} />
        <Skeleton bars={[13, 3]} />
      </Page>
    )
  }
  if (state === 'not-found') return <NotFound />
  if (state === 'reclaimed') return <Reclaimed title={t('brief:BriefTitle')} />
  return (
    <BriefNotice title={t('brief:BriefTitle')} action={t('TryAgain')} onAction={onTryAgain}>
      <p role="alert">{t(PROBLEMS[state])}</p>
    </BriefNotice>
  )
}

/** Most players who see this were invited at another of their addresses: says who is signed in, and offers to switch accounts. */
function NotFound() {
  const { t } = useTranslation(['assessment', 'brief'])
  const { user } = useSession()
  const { isLeaving, switchAccount } = useSwitchAccount()
  return (
    <Page title={t('brief:BriefTitle')}>
      <p role="alert">{t('AssessmentNotFound')}</p>
      {user?.email && <p>{t('NotFoundForAddress', { email: user.email })}</p>}
      <div className="actions message">
        <DashboardLink variant="primary" />
        <Button isBusy={isLeaving} onClick={() => void switchAccount()}>
          {t('SignInWithOtherAddress')}
        </Button>
      </div>
    </Page>
  )
}

function Brief({ summary, userId }: { summary: InstanceSummary; userId: string | undefined }) {
  const { t } = useTranslation(['assessment', 'brief'])
  const onDevice = useOnDevice(userId)
  const status = onDevice.statuses.find((one) => one.instanceId === summary.instanceId)
  const answered = Math.min(summary.itemCount, Math.max(summary.answeredCount, status?.answered ?? 0))
  const { instanceId } = summary
  usePrepared(userId, isOpen(summary.status) ? [summary] : [])
  const needsConnection = useNeedsConnection(instanceId)
  // given by a coach and not started: the coach sees who has it only after the player could read who sees what (BRIEF-6)
  const shouldReport = summary.status === 'ALLOCATED' && userId !== undefined
  const onRead = useMemo(() => (shouldReport ? () => reportBriefOpened(userId, instanceId) : undefined), [shouldReport, userId, instanceId])
  const hasBegun = summary.status === 'IN_PROGRESS' || answered > 0
  const isFinishedHere = isOpen(summary.status) && Boolean(status?.finish)
  return (
    <Page
      title={t('brief:BriefTitle')}
      heading={<AssessmentName name={summary.name} />}
      intro={<Intro summary={summary} hasBegun={hasBegun} isFinishedHere={isFinishedHere} />}
    >
      {onDevice.isUnreadable && <DeviceUnreadable />}
      <div className="grass">
        <ul className={styles.points}>
          <li>{t('brief:BriefBulletHonest')}</li>
          <li>{t('brief:BriefBulletMinutes', { count: summary.estimatedTimeMinutes })}</li>
          {/* the notice above says the opposite */}
          {!onDevice.isUnreadable && <li>{t('brief:BriefBulletPause')}</li>}
          {!onDevice.isUnreadable && <li>{t(needsConnection ? 'brief:BriefOpenOnceFirst' : 'brief:BriefBulletNoSignal')}</li>}
        </ul>
      </div>
      <WhoSeesWhat summary={summary} onRead={onRead} />
      {summary.status === 'COMPLETED' ? (
        <Completed instanceId={summary.instanceId} />
      ) : isFinishedHere ? (
        <FinishedHere instanceId={instanceId} />
      ) : (
        <>
          {hasBegun && <Progress answered={answered} total={summary.itemCount} />}
          {/* on a phone a bar that sticks would cover who sees what */}
          <div className={`actions ${hasBegun ? '' : 'actions-after-text'}`}>
            {needsConnection ? (
              <Button variant="primary" unavailable={t('brief:BriefNeedsConnection')}>
                {t(hasBegun ? 'brief:BriefContinue' : 'brief:BriefStart')}
              </Button>
            ) : (
              <Link href={paths.test(instanceId)} className="button button-primary">
                {t(hasBegun ? 'brief:BriefContinue' : 'brief:BriefStart')}
              </Link>
            )}
            <Link href={paths.home()} className="actions-link">
              {t(hasBegun ? 'brief:BriefReturnLater' : 'brief:BriefReturn')}
            </Link>
          </div>
        </>
      )}
    </Page>
  )
}

/** Before the first start it also shows the last step of buying or of accepting an invitation. */
function Intro({ summary, hasBegun, isFinishedHere }: { summary: InstanceSummary; hasBegun: boolean; isFinishedHere: boolean }) {
  const { t } = useTranslation(['assessment', 'brief'])
  const isFirstStart = !hasBegun && summary.status !== 'COMPLETED'
  const words = summary.status === 'COMPLETED' ? 'brief:BriefDone' : isFinishedHere ? 'brief:BriefFinishedHere' : 'brief:BriefTitle'
  return (
    <>
      {isFirstStart && <StepLine way={isFromCoach(summary) ? 'given' : 'bought'} step="StepStart" />}
      <p>{t(words)}</p>
    </>
  )
}

/** Submitted but not sent yet: there is nothing to continue, but the answers can still be changed there. ANSWERS-10 */
function FinishedHere({ instanceId }: { instanceId: string }) {
  const { t } = useTranslation(['assessment', 'brief'])
  return (
    <div className="actions">
      <DashboardLink variant="primary" />
      <Link href={paths.test(instanceId)} className="actions-link">
        {t('brief:BriefFinishedLink')}
      </Link>
    </div>
  )
}

function Progress({ answered, total }: { answered: number; total: number }) {
  const { t } = useTranslation(['assessment', 'brief'])
  return (
    <div className={styles.progress}>
      <progress max={total} value={answered} aria-hidden="true" />
      <p>{t('brief:BriefProgress', { answered, total })}</p>
    </div>
  )
}

/** Shown before the first answer. BRIEF-5, PRIVACY-2, PRIVACY-3 */
function WhoSeesWhat({ summary, onRead }: { summary: InstanceSummary; onRead: (() => void) | undefined }) {
  const { t } = useTranslation(['assessment', 'brief'])
  const endOfText = useSeen<HTMLSpanElement>(onRead)
  const whoSeesResults = () => {
    if (!isFromCoach(summary)) return t('brief:BriefWhoSeesNoCoach')
    if (summary.isCoachErased) return t('brief:BriefWhoSeesErasedCoach')
    if (summary.isCoachClosed) return t('brief:BriefWhoSeesClosedCoach')
    const name = [summary.coachFirstName, summary.coachLastName].filter(Boolean).join(' ')
    return name ? t('brief:BriefWhoSeesCoach', { name }) : t('brief:BriefWhoSeesSomeCoach')
  }
  return (
    <section className={`card ${styles.whoSees}`} aria-labelledby="who-sees-what">
      <h2 id="who-sees-what">{t('brief:BriefWhoSeesTitle')}</h2>
      <ul>
        <li>{t('brief:BriefWhoSeesAnswers')}</li>
        <li>
          {whoSeesResults()}
          <span ref={endOfText} />
        </li>
      </ul>
      <p>
        {t('brief:BriefLimits')} <Link href={paths.limits()}>{t('LimitsLink')}</Link>
      </p>
    </section>
  )
}

function Completed({ instanceId }: { instanceId: string }) {
  const { t } = useTranslation(['assessment', 'brief'])
  return (
    <div className="actions">
      <Link href={paths.results(instanceId)} className="button button-primary">
        {t('BriefDoneLink')}
      </Link>
    </div>
  )
}
