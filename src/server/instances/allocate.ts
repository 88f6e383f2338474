import type { instancesForCoach } from '#contract/instances.coach.ts'
import { normalEmail } from '#contract/rules/email.ts'
import type { Handler } from '../http/handler.ts'
import { allocateInstance } from './allocation-store.ts'
import { replyToAllocation } from './allocation-reply.ts'
import { instanceIdFor } from './instance-id.ts'

/** POST assessment/assessment-instance/allocate: one token, one instance, one invitation. ASSIGN-5 to ASSIGN-9 */
export const allocate: Handler<typeof instancesForCoach.allocate> = async (input) => {
  const { body, caller, refuse, deps } = input
  const spent = await deps.limits.peek('coachesFound', caller.userId)
  if (spent) return refuse('TOO_MANY_REQUESTS', spent)
  const { playerEmail: email, assessmentId, operationId, language, playerName } = body
  const allocation = { id: instanceIdFor(deps), coachId: caller.userId, assessmentId, email, emailNormal: normalEmail(email) }
  const outcome = await allocateInstance(deps.db, { ...allocation, operationId, language, playerName }, deps.clock.now())
  if (outcome.kind === 'no-token') return refuse('NO_TOKENS_AVAILABLE')
  return replyToAllocation(outcome, input)
}
