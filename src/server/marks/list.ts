import type { marks } from '#contract/marks.ts'
import type { Handler } from '../http/handler.ts'
import { completedInstance } from '../instances/completed.ts'
import { listMarks } from './store.ts'

/** GET assessment/assessment-instance/{instanceId}/marks: for the player alone. RESULTS-19 */
export const list: Handler<typeof marks.list> = async ({ params, caller, refuse, deps }) => {
  await completedInstance(deps.db, params.instanceId, caller.userId, refuse)
  return { marks: await listMarks(deps.db, params.instanceId) }
}
