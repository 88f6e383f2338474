import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link } from 'wouter'
import { useOnDevice } from '#app/device/use-on-device.ts'
import '#app/parts/actions.css'
import { paths } from '#app/paths.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { Page } from '#app/ui/layout/page.tsx'
import type { InstanceSummary } from '#contract/instances.ts'

const PROBLEMS = {
  'not-found': 'AssessmentNotFound',
  'not-on-device': 'results:ResultsNotOnDevice',
  failed: 'results:ResultsFailed',
} as const

interface Props {
  userId: string | undefined
  instanceId: string
  /** if the instance was read but has no result yet */
  summary?: InstanceSummary
  /** otherwise: why the instance could not be read */
  state?: keyof typeof PROBLEMS
  onTryAgain?: () => void
}

/** Why there is no result, how many answers are missing, and a link to the questions. */
export function NoResults({ userId, instanceId, summary, state, onTryAgain }: Props) {
  const { t } = useTranslation(['assessment', 'results'])
  const status = useOnDevice(userId).statuses.find((one) => one.instanceId === instanceId)
  const isFinishedHere = Boolean(status?.finish)
  const remaining = summary && summary.itemCount - Math.max(summary.answeredCount, status?.answered ?? 0)
  function why(): string {
    if (isFinishedHere) return t('results:ResultsFinishedOnDevice')
    if (state) return t(PROBLEMS[state])
    if (remaining && remaining > 0) return t('results:ResultsMissing', { count: remaining })
    return t('results:ResultsNotSubmitted')
  }

  return (
    <Page title={t(state === 'not-found' ? 'results:ResultsTitle' : 'results:ResultsNotYetTitle')}>
      <p role={state && !isFinishedHere ? 'alert' : undefined}>{why()}</p>
      <div className="actions message">
        {summary && !isFinishedHere && (
          <Link href={paths.test(instanceId)} className="button button-primary">
            {t('results:ResultsGoToQuestions')}
          </Link>
        )}
        {onTryAgain && state !== 'not-found' && <Button onClick={onTryAgain}>{t('TryAgain')}</Button>}
        <Link href={paths.home()} className={`button ${state === 'not-found' ? 'button-primary' : ''}`}>
          {t('ReturnToDashboard')}
        </Link>
      </div>
    </Page>
  )
}
