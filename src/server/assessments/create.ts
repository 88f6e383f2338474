import type { assessmentsForOperator } from '#contract/assessments.operator.ts'
import { ASSESSMENT_ID, currentVersionOf } from '../content/content.ts'
import type { Handler } from '../http/handler.ts'
import { presentAssessment } from './present.ts'
import { addAssessment } from './store.ts'

/** Adds an assessment with the built-in questionnaire. */
export const create: Handler<typeof assessmentsForOperator.create> = async ({ body, language, refuse, deps }) => {
  const { assessmentId: id, prices, sampleReportFilename, name, tagline, description, estimatedTimeMinutes } = body
  // a price id must identify what it buys
  if (prices.some((price) => price.id === deps.env.tokenPrice.id)) return refuse('ASSESSMENT_EXISTS')
  // another questionnaire needs content and scoring of its own (API-12)
  const contentVersion = currentVersionOf(ASSESSMENT_ID)
  const words = { name, tagline, description, estimatedTimeMinutes }
  const row = await addAssessment(deps.db, { id, prices, sampleReportFilename, words, contentVersion })
  return row ? presentAssessment(row, language) : refuse('ASSESSMENT_EXISTS')
}
