import { useTranslation } from '#app/i18n/use-translation.ts'
import { AssessmentCard } from '#app/parts/dashboard/assessment-card.tsx'
import { Button } from '#app/ui/forms/button.tsx'
import { ASSESSMENT, LONG_NAME } from '../../samples.ts'
import type { States } from '../../states.ts'

export const states: States = {
  Default: function Default() {
    const { t } = useTranslation('home')
    return (
      <AssessmentCard assessment={ASSESSMENT} learnMore="https://example.com/" hasPrice>
        <Button variant="primary">{t('StartAssessment')}</Button>
      </AssessmentCard>
    )
  },
  LongWords: () => <AssessmentCard assessment={{ ...ASSESSMENT, name: LONG_NAME }} learnMore={undefined} hasPrice={false} />,
}
