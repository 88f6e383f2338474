import type { instances } from '#contract/instances.ts'
import type { Handler } from '../http/handler.ts'
import { completedInstance } from './completed.ts'
import { presentSummary } from './present.ts'

/** `complete` has calculated them; this call sends them again. ANSWERS-25 */
export const calculateResults: Handler<typeof instances.calculateResults> = async ({ params, caller, language, refuse, deps }) => {
  const row = await completedInstance(deps.db, params.instanceId, caller.userId, refuse)
  return presentSummary(row, language, 'player')
}
