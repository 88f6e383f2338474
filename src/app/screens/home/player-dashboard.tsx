import { useReachable } from '#app/api/use-network-state.ts'
import { reader } from '#app/api/session-port.ts'
import { queriesRestored } from '#app/api/reads-provider.tsx'
import { readAhead, useCall } from '#app/api/use-call.ts'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { useOnDevice } from '#app/device/use-on-device.ts'
import { usePrepared } from '#app/device/readiness/use-prepared.ts'
import { useCompareWithList } from '#app/device/use-compare-with-list.ts'
import { AsOf } from '#app/parts/assessment/as-of.tsx'
import { DeviceUnreadable } from '#app/parts/assessment/device-unreadable.tsx'
import { useProfile } from '#app/parts/person/use-profile.ts'
import { Skeleton } from '#app/ui/layout/skeletons.tsx'
import { assessments as assessmentCalls } from '#contract/assessments.ts'
import { ASSESSMENT_PAGE_SIZE } from '#contract/constants.ts'
import { instances as instanceCalls } from '#contract/instances.ts'
import { users } from '#contract/users.ts'
import { AvailableAssessments } from './available-assessments.tsx'
import { HomePage } from './home-page.tsx'
import { InProgressAssessments } from '#app/screens/player/in-progress-assessments.tsx'
import { openPath, purchasePath } from '#app/screens/player/next-step.ts'
import { knownInstances, openInstances, pastInstances, stranded, takenAs } from '#app/screens/player/panels.ts'
import { PastAssessments } from '#app/screens/player/past-assessments.tsx'
import { PlayerSummary } from '#app/screens/player/player-summary.tsx'
import { StrandedAnswers } from '#app/screens/player/stranded-answers.tsx'

const assessmentsRead = { query: { page: 1, limit: ASSESSMENT_PAGE_SIZE } }

/** Starts the reads before the screen is drawn; the script in index.html has already requested the same URLs (boot/begin.ts). */
export async function preparePlayerDashboard(): Promise<void> {
  await queriesRestored()
  const userId = reader.id()
  if (userId === undefined) return
  await Promise.all([
    readAhead(users.get, { params: { id: userId } }),
    readAhead(instanceCalls.list, { query: { userId } }),
    readAhead(assessmentCalls.list, assessmentsRead),
  ])
}

export function PlayerDashboard() {
  const userId = useReaderId()
  const isReachable = useReachable()
  const isSignedIn = { enabled: userId !== undefined }
  const profile = useProfile()
  const instances = useCall(instanceCalls.list, { query: { userId } }, isSignedIn)
  const assessments = useCall(assessmentCalls.list, assessmentsRead, isSignedIn)

  // all panels are shown together, so that late content does not push down what is on screen
  const isLoading = [profile, instances, assessments].some((read) => read.isPending)
  const { statuses: onDevice, isUnreadable } = useOnDevice(isLoading ? undefined : userId)
  const known = knownInstances(instances.data?.data, instances.isError, onDevice)
  const hasFailed = instances.isError && known === undefined
  const open = openInstances(known ?? [])
  usePrepared(userId, open)
  useCompareWithList(userId, instances.data?.data)
  const past = pastInstances(known ?? [])
  // without the list nobody knows whether an assessment that the device lacks is still open
  const mayBeStranded = instances.data ? onDevice : onDevice.filter(({ summary }) => summary !== undefined)
  // only one next step is highlighted: continue an open assessment, else read the result, else buy
  const isOpenNext = hasFailed || open.length > 0
  const isPastNext = !isOpenNext && past.length > 0
  const pastPanel = !hasFailed && <PastAssessments instances={past} isNext={isPastNext} />

  return (
    <HomePage
      firstName={profile.data?.firstName}
      intro={<PlayerSummary instances={isLoading ? undefined : known} onDevice={onDevice} email={profile.data?.email} />}
    >
      <AsOf at={instances.dataUpdatedAt} isStored={instances.failureReason !== null} />
      {isUnreadable && <DeviceUnreadable />}
      {known && <StrandedAnswers statuses={stranded(known, mayBeStranded)} />}
      {isLoading ? (
        <div className="home-loading">
          <Skeleton bars={[1.625, 12, 1.625, 37]} />
        </div>
      ) : (
        <div className={`home-panels ${isOpenNext || isPastNext ? '' : 'home-offer-first'}`}>
          <InProgressAssessments
            hasFailed={hasFailed}
            error={instances.error}
            onTryAgain={() => void instances.refetch()}
            instances={open}
            onDevice={onDevice}
            pathOf={(instanceId) => openPath(instanceId, profile.data, isReachable)}
          />
          {isPastNext && pastPanel}
          <AvailableAssessments
            isNext={!isOpenNext && !isPastNext}
            hasFailed={assessments.isError && assessments.data === undefined}
            error={assessments.error}
            onTryAgain={() => void assessments.refetch()}
            assessments={assessments.data?.data ?? []}
            purchasePathOf={(assessmentId) => purchasePath(assessmentId, profile.data)}
            takenOf={(assessmentId) => takenAs(assessmentId, known ?? [])}
          />
          {!isPastNext && pastPanel}
        </div>
      )}
    </HomePage>
  )
}
