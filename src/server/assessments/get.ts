import type { assessments } from '#contract/assessments.ts'
import type { Handler } from '../http/handler.ts'
import { presentAssessment } from './present.ts'
import { findAssessment } from './store.ts'

/** One assessment. A `userId` changes nothing, but must be the caller's own (ROLES-10). */
export const get: Handler<typeof assessments.get> = async ({ params, query, caller, language, refuse, deps }) => {
  if (query.userId !== undefined && caller.kind !== 'operator' && query.userId !== caller.userId) return refuse('FORBIDDEN')
  const row = await findAssessment(deps.db, params.id)
  return row ? presentAssessment(row, language) : refuse('NOT_FOUND')
}
