import type { Assessment } from '#contract/assessments.ts'
import { CURRENCY_DEFAULT } from '#contract/constants.ts'
import { promotionPrice, regularPrice, type Price } from '#contract/rules/pricing.ts'
import { assessmentWords } from '#server/content/content.ts'
import type { Language } from '../http/handle.ts'
import type { AssessmentRow } from './store.ts'

const amountOf = (price: Price | undefined) => (price ? { unitAmount: price.unitAmount, currency: price.currency } : null)

/** `price` is what is paid, `originalPrice` the regular one. §3 Assessment */
export function presentAssessment(row: AssessmentRow, language: Language): Assessment {
  const regular = regularPrice(row.prices)
  const paid = promotionPrice(row.prices) ?? regular
  return {
    assessmentId: row.id,
    ...assessmentWords(row.id, language),
    price: amountOf(paid),
    originalPrice: amountOf(regular),
    currencyCode: (paid?.currency ?? CURRENCY_DEFAULT).toUpperCase(),
    prices: row.prices,
    sampleReportFilename: row.sampleReportFilename,
  }
}
