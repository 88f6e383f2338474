import type { hitsForOperator } from '#contract/hits.operator.ts'
import type { Handler } from '../http/handler.ts'

/** GET limit. OPERATE-23, API-50 */
export const list: Handler<typeof hitsForOperator.list> = async ({ deps }) => {
  const found = await deps.limits.hits()
  return { data: found.toSorted((a, b) => b.callers - a.callers) }
}
