import type { instancesForCoach } from '#contract/instances.coach.ts'
import type { Handler } from '../http/handler.ts'
import { reclaimInstance } from './reclaim-store.ts'

/** POST assessment/assessment-instance/{instanceId}/reclaim. ASSIGN-19, ASSIGN-20 */
export const reclaim: Handler<typeof instancesForCoach.reclaim> = async ({ params, query, caller, refuse, deps }) => {
  const wanted = { id: params.instanceId, coachId: caller.userId, seenStatus: query.seenStatus, isPlayerNotified: true }
  switch (await reclaimInstance(deps.db, wanted, deps.clock.now())) {
    case 'completed':
      return refuse('ALREADY_COMPLETED')
    case 'already':
      return refuse('ALREADY_RECLAIMED')
    case 'begun':
      return refuse('PLAYER_HAS_BEGUN')
    case 'unknown':
      return refuse('NOT_FOUND')
    case 'reclaimed':
  }
  deps.jobs.wake('mails')
  return { instanceId: params.instanceId, status: 'RECLAIMED' }
}
