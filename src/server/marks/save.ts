import type { marks } from '#contract/marks.ts'
import type { Handler } from '../http/handler.ts'
import { completedInstance } from '../instances/completed.ts'
import { storeMarks } from './store.ts'

/** PUT assessment/assessment-instance/{instanceId}/marks. RESULTS-19 */
export const save: Handler<typeof marks.save> = async ({ params, body, caller, refuse, deps }) => {
  await completedInstance(deps.db, params.instanceId, caller.userId, refuse)
  const now = deps.clock.now().getTime()
  // a device whose clock runs ahead would otherwise win against every later tap on another one
  const given = body.marks.map((one) => ({ ...one, at: Math.min(one.at, now) }))
  const stored = await storeMarks(deps.db, { instanceId: params.instanceId, userId: caller.userId }, given)
  return stored ? { marks: stored } : refuse('NOT_FOUND')
}
