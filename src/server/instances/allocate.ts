import type { coach } from '#contract/coach.ts'
import { normalEmail } from '../auth/store.ts'
import type { Handler } from '../http/handle.ts'
import { allocateInstance } from './allocation-store.ts'
import { instanceIdFor } from './instance-id.ts'
import { presentAllocated } from './present.ts'
import { noteResultsSeen } from './results-seen.ts'
import { findAllocated } from './store.ts'

/** POST assessment/assessment-instance/allocate: one token, one instance, one invitation. §4 Token statuses, §6, §8 */
export const allocate: Handler<typeof coach.instances.allocate> = async ({ body, caller, language, refuse, deps }) => {
  const { limits } = deps
  const spent = await limits.look('coachesFound', caller.userId)
  if (spent) return refuse('TOO_MANY_REQUESTS', spent)
  const { playerEmail: email, assessmentId, operationId, language: ofInvitation } = body
  const gift = { id: instanceIdFor(deps), coachId: caller.userId, assessmentId, email, emailNormal: normalEmail(email) }
  const allocation = await allocateInstance(deps.db, { ...gift, operationId, language: ofInvitation }, deps.clock.now())
  switch (allocation.kind) {
    case 'mismatch':
      return refuse('OPERATION_MISMATCH')
    case 'unknown':
      return refuse('NOT_FOUND')
    case 'coach': {
      const busy = await limits.take('coachesFound', caller.userId)
      return busy ? refuse('TOO_MANY_REQUESTS', busy) : refuse('COACH_ALLOCATION_NOT_ALLOWED')
    }
    case 'pending':
      return refuse('ALREADY_ALLOCATED')
    case 'no-token':
      return refuse('NO_TOKENS_AVAILABLE')
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
  // a repeated operation may meet one that was completed meanwhile
  await noteResultsSeen(deps, caller, [row])
  return presentAllocated(row, language)
}
