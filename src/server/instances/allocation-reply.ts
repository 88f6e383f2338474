import type { instancesForCoach } from '#contract/instances.coach.ts'
import type { HandlerInput, Refuse } from '../http/handler.ts'
import type { AllocationOutcome } from './allocation-store.ts'
import { presentAllocated } from './present.ts'
import { noteResultsSeen } from './results-seen.ts'
import { findAllocated } from './store.ts'

type ReplyContext = Pick<HandlerInput<typeof instancesForCoach.allocate>, 'caller' | 'language' | 'deps'> & {
  refuse: Refuse<
    | 'INVALID_TOKEN'
    | 'OPERATION_MISMATCH'
    | 'NOT_FOUND'
    | 'TOO_MANY_REQUESTS'
    | 'COACH_ALLOCATION_NOT_ALLOWED'
    | 'ALREADY_ALLOCATED'
    | 'ALLOCATION_LIMIT'
    | 'ADDRESS_LIMIT'
  >
}

/** The reply to an allocation, and to the correction of one. */
export async function replyToAllocation(
  outcome: Exclude<AllocationOutcome, { kind: 'no-token' }>,
  { caller, language, refuse, deps }: ReplyContext,
) {
  switch (outcome.kind) {
    case 'mismatch':
      return refuse('OPERATION_MISMATCH')
    case 'closed':
      return refuse('INVALID_TOKEN')
    case 'unknown':
      return refuse('NOT_FOUND')
    case 'coach': {
      const wait = await deps.limits.take('coachesFound', caller.userId)
      return wait ? refuse('TOO_MANY_REQUESTS', wait) : refuse('COACH_ALLOCATION_NOT_ALLOWED')
    }
    case 'pending':
      return refuse('ALREADY_ALLOCATED')
    case 'day-limit':
      return refuse('ALLOCATION_LIMIT', { retryAfter: outcome.seconds })
    case 'address-limit':
      return refuse('ADDRESS_LIMIT', { retryAfter: outcome.seconds })
    case 'allocated':
      deps.jobs.wake('mails')
      break
    case 'repeated':
  }
  const row = await findAllocated(deps.db, caller.userId, outcome.instanceId)
  if (!row) return refuse('NOT_FOUND')
  // its instance has been reclaimed since: to report it as allocated would be untrue, and to allocate again is another operation
  if (outcome.kind === 'repeated' && row.instance.status === 'RECLAIMED') return refuse('OPERATION_MISMATCH')
  // if the operation is a repeat, its instance may have been completed since
  await noteResultsSeen(deps, caller, [row])
  return presentAllocated(row, language)
}
