import type { instancesForCoach } from '#contract/instances.coach.ts'
import { normalEmail } from '#contract/rules/email.ts'
import type { Handler } from '../http/handler.ts'
import { correctAddress as correct } from './correction-store.ts'
import { replyToAllocation } from './allocation-reply.ts'
import { instanceIdFor } from './instance-id.ts'

const REFUSALS = { completed: 'ALREADY_COMPLETED', already: 'ALREADY_RECLAIMED', begun: 'PLAYER_HAS_BEGUN', unknown: 'NOT_FOUND' } as const

/** POST assessment/assessment-instance/{instanceId}/correct-address. Decision 0039 */
export const correctAddress: Handler<typeof instancesForCoach.correctAddress> = async (input) => {
  const { params, body, caller, refuse, deps } = input
  const spent = await deps.limits.peek('coachesFound', caller.userId)
  if (spent) return refuse('TOO_MANY_REQUESTS', spent)
  const { playerEmail: email, operationId } = body
  const right = { id: instanceIdFor(deps), coachId: caller.userId, email, emailNormal: normalEmail(email), operationId }
  const outcome = await correct(deps.db, { ...right, wrongId: params.instanceId }, deps.clock.now())
  if (outcome.kind === 'not-reclaimed') return refuse(REFUSALS[outcome.why])
  // a correction always has the token of the instance it corrects
  if (outcome.kind === 'no-token') throw new Error('a correction asked for a second token')
  return replyToAllocation(outcome, input)
}
