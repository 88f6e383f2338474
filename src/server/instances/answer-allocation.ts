import type { instancesForCoach } from '#contract/instances.coach.ts'
import type { Asked, Refuse } from '../http/handle.ts'
import type { Allocation } from './allocation-store.ts'
import { presentAllocated } from './present.ts'
import { noteResultsSeen } from './results-seen.ts'
import { findAllocated } from './store.ts'

type Answering = Pick<Asked<typeof instancesForCoach.allocate>, 'caller' | 'language' | 'deps'> & {
  refuse: Refuse<
    | 'OPERATION_MISMATCH'
    | 'NOT_FOUND'
    | 'TOO_MANY_REQUESTS'
    | 'COACH_ALLOCATION_NOT_ALLOWED'
    | 'ALREADY_ALLOCATED'
    | 'ALLOCATION_LIMIT'
    | 'ADDRESS_LIMIT'
  >
}

/** What a coach is answered who gave something to an address, rightly at once or after a wrong one. */
export async function answerAllocation(
  allocation: Exclude<Allocation, { kind: 'no-token' }>,
  { caller, language, refuse, deps }: Answering,
) {
  switch (allocation.kind) {
    case 'mismatch':
      return refuse('OPERATION_MISMATCH')
    case 'unknown':
      return refuse('NOT_FOUND')
    case 'coach': {
      const busy = await deps.limits.take('coachesFound', caller.userId)
      return busy ? refuse('TOO_MANY_REQUESTS', busy) : refuse('COACH_ALLOCATION_NOT_ALLOWED')
    }
    case 'pending':
      return refuse('ALREADY_ALLOCATED')
    case 'day-limit':
      return refuse('ALLOCATION_LIMIT', { retryAfter: allocation.seconds })
    case 'address-limit':
      return refuse('ADDRESS_LIMIT', { retryAfter: allocation.seconds })
    case 'given':
      void deps.mails.wake()
      break
    case 'repeated':
  }
  const row = await findAllocated(deps.db, caller.userId, allocation.instanceId)
  if (!row) return refuse('NOT_FOUND')
  // what the operation gave has been taken back: "it is given" would be untrue, and giving it anew is another operation
  if (allocation.kind === 'repeated' && row.instance.status === 'RECLAIMED') return refuse('OPERATION_MISMATCH')
  // a repeated operation may meet one that was completed meanwhile
  await noteResultsSeen(deps, caller, [row])
  return presentAllocated(row, language)
}
