import type { instancesForOperator } from '#contract/instances.operator.ts'
import type { Handler } from '../http/handler.ts'
import { presentSummary } from './present.ts'
import { findInstance, grantInstance } from './store.ts'

/** Grants a player an OWNED instance at no charge. */
export const create: Handler<typeof instancesForOperator.create> = async ({ body, language, refuse, deps }) => {
  const id = deps.random.id()
  const outcome = await grantInstance(deps.db, { id, ...body }, deps.clock.now())
  if (outcome.kind === 'coach') return refuse('COACH_ALLOCATION_NOT_ALLOWED')
  const row = outcome.kind === 'granted' && (await findInstance(deps.db, id, { userId: body.userId }))
  return row ? presentSummary(row, language, 'operator') : refuse('NOT_FOUND')
}
