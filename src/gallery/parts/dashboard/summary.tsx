import { useTranslation } from '#app/i18n/use-translation.ts'
import { Summary } from '#app/parts/dashboard/summary.tsx'
import type { States } from '../../states.ts'

function Figures({ invited, started }: { invited: number | undefined; started: number | undefined }) {
  const { t } = useTranslation('home')
  return (
    <Summary
      figures={[
        { name: t('SummaryInvited'), count: invited, isWaiting: true },
        { name: t('SummaryStarted'), count: started },
        { name: t('SummaryCompleted'), count: started },
      ]}
    />
  )
}

export const states: States = {
  Default: () => <Figures invited={12} started={3} />,
  Empty: () => <Figures invited={undefined} started={undefined} />,
  Many: () => <Figures invited={123_456} started={98_765} />,
}
