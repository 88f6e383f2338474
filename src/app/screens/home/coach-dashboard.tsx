import { useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useCall } from '#app/api/use-call.ts'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { useOfflineCall } from '#app/device/use-offline-call.ts'
import { AsOf } from '#app/parts/assessment/as-of.tsx'
import { useProfile } from '#app/parts/person/use-profile.ts'
import { Skeleton } from '#app/ui/layout/skeletons.tsx'
import { assessments as assessmentCalls } from '#contract/assessments.ts'
import { instancesForCoach } from '#contract/instances.coach.ts'
import { ASSESSMENT_PAGE_SIZE } from '#contract/constants.ts'
import { AssignTokenDialog } from '#app/screens/tokens/assign/assign-token.dialog.tsx'
import { AvailableAssessments } from './available-assessments.tsx'
import { HomePage } from './home-page.tsx'
import { coachFigures } from '#app/screens/team/people.ts'
import { PullToRefresh } from './pull-to-refresh.tsx'
import { Summary } from '#app/parts/dashboard/summary.tsx'
import { TeamOverview } from '#app/screens/team/team-overview.tsx'
import { useRemovedReports } from '#app/screens/team/use-removed-reports.ts'
import { TokenManagement } from '#app/screens/tokens/token-management.tsx'
import { useCoachOnboarding } from './use-coach-onboarding.ts'
import { useRefresh } from './use-refresh.ts'
import { useTokenRows } from '#app/screens/tokens/use-token-rows.ts'

/** HOME-1, HOME-3 */
export function CoachDashboard() {
  const { t } = useTranslation('home')
  const userId = useReaderId()
  const isSignedIn = { enabled: userId !== undefined }
  const profile = useProfile()
  const team = useOfflineCall(instancesForCoach.allocated, {}, isSignedIn)
  useRemovedReports(team)
  const tokens = useTokenRows(isSignedIn.enabled)
  const assessments = useCall(assessmentCalls.list, { query: { page: 1, limit: ASSESSMENT_PAGE_SIZE } }, isSignedIn)
  const { refresh, isFetching } = useRefresh(team.at)
  useCoachOnboarding()

  const [assigning, setAssigning] = useState<{ assessmentId?: string }>()
  const hasToken = (tokens.data?.available ?? 0) > 0
  const offer = {
    assessments: assessments.data?.data,
    hasFailed: assessments.isError && assessments.data === undefined,
    error: assessments.error,
    onTryAgain: () => void assessments.refetch(),
  }
  const figures = coachFigures(team.data?.assessments)
  const summary = (
    <Summary
      figures={[
        { name: t('SummaryInvited'), count: figures.invited },
        { name: t('SummaryStarted'), count: figures.started },
        { name: t('SummaryCompleted'), count: figures.completed },
        { name: t('SummaryTokens'), count: tokens.data?.available },
      ]}
    />
  )
  return (
    <HomePage firstName={profile.data?.firstName} intro={summary}>
      <PullToRefresh onPull={() => void refresh()} />
      <TeamOverview
        team={team}
        onAssign={hasToken ? () => setAssigning({}) : undefined}
        isFetching={isFetching}
        onRefresh={() => void refresh()}
      />
      <TokenManagement tokens={tokens} offer={offer} onAssign={() => setAssigning({})} />
      <AsOf at={assessments.dataUpdatedAt} isStored={assessments.failureReason !== null} />
      {assessments.isPending ? (
        <Skeleton bars={[2, 16]} />
      ) : (
        <AvailableAssessments
          hasFailed={offer.hasFailed}
          error={offer.error}
          onTryAgain={offer.onTryAgain}
          assessments={offer.assessments ?? []}
          onBook={(assessmentId) => setAssigning({ assessmentId })}
        />
      )}
      {assigning && (
        <AssignTokenDialog
          offer={offer}
          preselected={assigning.assessmentId}
          // while the count is unknown, let the server decide
          hasToken={hasToken || tokens.data === undefined}
          onClose={() => setAssigning(undefined)}
        />
      )}
    </HomePage>
  )
}
