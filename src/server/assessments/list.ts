import type { assessments } from '#contract/assessments.ts'
import type { Handler } from '../http/handler.ts'
import { presentAssessment } from './present.ts'
import { pageOfAssessments } from './store.ts'

/** One page of the assessments, by id. */
export const list: Handler<typeof assessments.list> = async ({ query, language, deps }) => {
  const { rows, total } = await pageOfAssessments(deps.db, query.page, query.limit)
  return { data: rows.map((row) => presentAssessment(row, language)), total }
}
