import type { marks } from '#contract/marks.ts'
import type { Handler } from '../http/handler.ts'
import { findInstance } from '../instances/store.ts'
import { listMarks } from './store.ts'

/** GET assessment/assessment-instance/{instanceId}/marks: for the player alone. RESULTS-19 */
export const list: Handler<typeof marks.list> = async ({ params, caller, refuse, deps }) => {
  const row = await findInstance(deps.db, params.instanceId, { userId: caller.userId })
  if (!row) return refuse('NOT_FOUND')
  if (row.instance.status === 'RECLAIMED') return refuse('INSTANCE_RECLAIMED')
  if (!row.instance.results) return refuse('NOT_COMPLETE')
  return { marks: await listMarks(deps.db, params.instanceId) }
}
