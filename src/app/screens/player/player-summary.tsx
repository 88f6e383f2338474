import { useTranslation } from '#app/i18n/use-translation.ts'
import type { DeviceStatus } from '#app/device/status.ts'
import type { InstanceSummary } from '#contract/instances.ts'
import { firstStep, type FirstStep } from './next-step.ts'
import { coachName, openInstances, playerFigures, statusShown } from './panels.ts'
import { Summary } from '#app/parts/dashboard/summary.tsx'

interface Props {
  /** undefined: not known yet */
  instances: readonly InstanceSummary[] | undefined
  onDevice: readonly DeviceStatus[]
  /** the address that a coach can send an assessment to */
  email: string | undefined
}

/** How much is open, waiting and done; for a new player, what to do first. HOME-2 */
export function PlayerSummary({ instances, onDevice, email }: Props) {
  const { t } = useTranslation(['player', 'home'])
  const figures = playerFigures(instances, onDevice)
  const open = instances && openInstances(instances)
  const isBegun = (one: InstanceSummary) =>
    statusShown(
      one,
      onDevice.find(({ instanceId }) => instanceId === one.instanceId),
    ) === 'IN_PROGRESS'
  const step = firstStep(open, { done: figures.done, hasBegun: figures.waiting > 0 || (open ?? []).some(isBegun) })
  if (step) {
    return (
      <section aria-label={t('home:SummaryTitle')}>
        <FirstStepText step={step} coach={open?.[0] && coachName(open[0])} email={email} />
      </section>
    )
  }
  return (
    <Summary
      figures={[
        { name: t('SummaryOpen'), count: figures.open },
        ...(figures.waiting > 0 ? [{ name: t('SummaryWaiting'), count: figures.waiting, isWaiting: true }] : []),
        { name: t('SummaryDone'), count: figures.done },
      ]}
    />
  )
}

function FirstStepText({ step, coach, email }: { step: FirstStep; coach: string | undefined; email: string | undefined }) {
  const { t } = useTranslation('player')
  const action = t('GoToAssessment')
  switch (step) {
    case 'invited':
      return <p>{coach ? t('FirstInvited', { name: coach, action }) : t('FirstInvitedByCoach', { action })}</p>
    case 'begin':
      return <p>{t('FirstBegin', { action })}</p>
    case 'buy':
      return (
        <p>
          {t('FirstBuy')} {email && t('FirstBuyAddress', { email })}
        </p>
      )
  }
}
