import type { Assessment } from '#contract/assessments.ts'
import { CURRENCY_DEFAULT } from '#contract/constants.ts'
import { promotionPrice, regularPrice, type Price } from '#contract/rules/pricing.ts'
import { assessmentWords, sampleReportOf } from '#server/content/content.ts'
import type { Language } from '../http/handle.ts'
import type { AssessmentRow } from './store.ts'

const amountOf = (price: Price | undefined) => (price ? { unitAmount: price.unitAmount, currency: price.currency } : null)

/** The operator's words where there are some, else the content's. */
export function presentWords({ id, words }: Pick<AssessmentRow, 'id' | 'words'>, language: Language) {
  return words ?? assessmentWords(id, language)
}

/** The operator's file where the words are theirs, else the content's in the caller's language. */
export function presentSample(
  { id, words, sampleReportFilename }: Pick<AssessmentRow, 'id' | 'words' | 'sampleReportFilename'>,
  language: Language,
) {
  return words ? sampleReportFilename : sampleReportOf(id, language)
}

/** `price` is what is paid, `originalPrice` the regular one. DATA-1 */
export function presentAssessment(row: AssessmentRow, language: Language): Assessment {
  const regular = regularPrice(row.prices)
  const paid = promotionPrice(row.prices) ?? regular
  return {
    assessmentId: row.id,
    ...presentWords(row, language),
    price: amountOf(paid),
    originalPrice: amountOf(regular),
    currencyCode: (paid?.currency ?? CURRENCY_DEFAULT).toUpperCase(),
    prices: row.prices,
    sampleReportFilename: presentSample(row, language),
  }
}
