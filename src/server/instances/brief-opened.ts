import type { instances } from '#contract/instances.ts'
import type { Handler } from '../http/handler.ts'
import { noteBriefOpened } from './store.ts'

/** POST assessment/assessment-instance/{instanceId}/brief-opened: its player has been shown who sees what. BRIEF-6 */
export const briefOpened: Handler<typeof instances.briefOpened> = async ({ params, caller, refuse, deps }) => {
  const isNoted = await noteBriefOpened(deps.db, params.instanceId, caller.userId, deps.clock.now())
  if (!isNoted) return refuse('NOT_FOUND')
  return undefined
}
