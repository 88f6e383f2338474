import type { assessments } from '#contract/assessments.ts'
import { ASSESSMENT_ID, currentVersionOf, learningStyleOf, personalityTypeOf, resultText as textOf } from '../content/content.ts'
import type { Handler } from '../http/handler.ts'
import { findInstance } from '../instances/store.ts'
import { neighboursOf } from '../instances/result-texts.ts'

/** The texts for `lsi` and `mbti`, in the content version of the instance if one is given, else in the current one. RESULTS-4 */
export const resultText: Handler<typeof assessments.resultText> = async ({ query, caller, language, refuse, deps }) => {
  const { lsi, mbti, instanceId } = query
  if (instanceId === undefined) {
    // the call names a result, not an assessment (API-26)
    const version = currentVersionOf(ASSESSMENT_ID)
    return isResult(version, lsi, mbti) ? textOf(version, { lsi, mbti }, language) : refuse('NOT_FOUND')
  }
  const found = await findInstance(deps.db, instanceId, { userId: caller.userId })
  if (!found?.instance.results || !isResult(found.instance.contentVersion, lsi, mbti)) return refuse('NOT_FOUND')
  const { contentVersion, results } = found.instance
  return {
    ...textOf(contentVersion, { lsi, mbti, facets: results.section3.facets }, language),
    neighbours: neighboursOf(contentVersion, results, language),
  }
}

function isResult(version: string, lsi: string, mbti: string): boolean {
  return learningStyleOf(version, lsi) !== undefined && personalityTypeOf(version, mbti) !== undefined
}
