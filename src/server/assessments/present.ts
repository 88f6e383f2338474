import type { Assessment } from '#contract/assessments.ts'
import { CURRENCY_DEFAULT } from '#contract/constants.ts'
import { promotionPrice, regularPrice, type Price } from '#contract/rules/pricing.ts'
import { offerSampleReport, offerWords } from '../content/offer.ts'
import type { Language } from '#contract/languages.ts'
import type { AssessmentRow } from './store.ts'

const amountOf = (price: Price | undefined) => (price ? { unitAmount: price.unitAmount, currency: price.currency } : null)

/** `price` is what the buyer pays, `originalPrice` the regular price. DATA-1 */
export function presentAssessment(row: AssessmentRow, language: Language): Assessment {
  const regular = regularPrice(row.prices)
  const paid = promotionPrice(row.prices) ?? regular
  return {
    assessmentId: row.id,
    ...offerWords(row, language),
    price: amountOf(paid),
    originalPrice: amountOf(regular),
    currencyCode: (paid?.currency ?? CURRENCY_DEFAULT).toUpperCase(),
    prices: row.prices,
    sampleReportFilename: offerSampleReport(row, language),
  }
}
