import { useTranslation } from 'react-i18next'
import { useCall, useReaderId } from '#app/api/use-call.ts'
import { AsOf } from '#app/parts/as-of.tsx'
import { useProfile } from '#app/parts/use-profile.ts'
import { Skeleton } from '#app/ui/skeletons.tsx'
import { assessments as assessmentCalls } from '#contract/assessments.ts'
import { ASSESSMENT_PAGE_SIZE } from '#contract/constants.ts'
import { AvailableAssessments } from './available-assessments.tsx'
import { HomePage } from './home-page.tsx'
import { useCoachOnboarding } from './use-coach-onboarding.ts'

export function CoachDashboard() {
  const { t } = useTranslation('home')
  const userId = useReaderId()
  const profile = useProfile()
  const assessments = useCall(assessmentCalls.list, { query: { page: 1, limit: ASSESSMENT_PAGE_SIZE } }, { enabled: userId !== undefined })
  useCoachOnboarding()

  return (
    <HomePage firstName={profile.data?.firstName} intro={t('HomeCoachIntroduction')}>
      <AsOf at={assessments.dataUpdatedAt} isStored={assessments.isError} />
      {assessments.isPending ? (
        <Skeleton bars={[2, 16]} />
      ) : (
        <AvailableAssessments
          hasFailed={assessments.isError && assessments.data === undefined}
          onTryAgain={() => void assessments.refetch()}
          assessments={assessments.data?.data ?? []}
        />
      )}
    </HomePage>
  )
}
