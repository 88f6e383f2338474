import type { ResultText } from '#contract/assessments.ts'
import type { Language } from '#contract/languages.ts'
import { resultText, styleWords, typeContent } from '../content/content.ts'
import { fittingStyles, fittingTypes, type StoredResults } from './clear-results.ts'

/** The texts of a stored result for its player, in the content version it was made with: with what stood out, and the neighbours. RESULTS-4 */
export function textsOf(contentVersion: string, results: StoredResults, language: Language): ResultText {
  const { Section1, section2, section3 } = results
  return {
    ...resultText(contentVersion, { lsi: Section1.value, mbti: section2.value, facets: section3.facets }, language),
    neighbours: neighboursOf(contentVersion, results, language),
  }
}

/** The other styles and types that a result lies between, with their texts. */
export function neighboursOf(contentVersion: string, { Section1, section2 }: StoredResults, language: Language) {
  const [, ...styles] = fittingStyles(Section1)
  const [, ...types] = fittingTypes(section2)
  return {
    styles: styles.map((value) => ({ value, ...styleWords(contentVersion, value, language) })),
    types: types.map((value) => ({ value, name: value, content: typeContent(contentVersion, value, language) })),
  }
}
