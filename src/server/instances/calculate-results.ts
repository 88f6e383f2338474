import type { instances } from '#contract/instances.ts'
import type { Handler } from '../http/handler.ts'
import { presentSummary } from './present.ts'
import { findInstance } from './store.ts'

/** `complete` has calculated them; this call sends them again. ANSWERS-25 */
export const calculateResults: Handler<typeof instances.calculateResults> = async ({ params, caller, language, refuse, deps }) => {
  const row = await findInstance(deps.db, params.instanceId, { userId: caller.userId })
  if (!row) return refuse('NOT_FOUND')
  if (row.instance.status === 'RECLAIMED') return refuse('INSTANCE_RECLAIMED')
  if (row.instance.status !== 'COMPLETED') return refuse('NOT_COMPLETE')
  return presentSummary(row, language, 'player')
}
