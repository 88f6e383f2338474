import { plainName } from '#contract/rules/assessment-name.ts'
import { offerWords } from '#server/content/offer.ts'
import type { Database } from '#server/db/database.ts'
import type { Catalog } from './sessions.ts'
import type { Env } from '#server/env.ts'
import { listAssessmentPrices } from '#server/payments/store.ts'

/** The sandbox sells at the product's own prices, so that the two cannot differ. */
export async function catalogOf(db: Database, { tokenPrice, tokenPromotion }: Env): Promise<Catalog> {
  const priced = await listAssessmentPrices(db)
  const prices = priced.flatMap(({ prices: ofAssessment, ...assessment }) => {
    // the provider shows plain text
    const productName = plainName(offerWords(assessment, 'en').name)
    return ofAssessment.map((price) => ({ ...price, productName }))
  })
  return {
    prices: [...prices, { ...tokenPrice, productName: 'Assessment token' }],
    coupons: [{ id: tokenPromotion.coupon, percentOff: tokenPromotion.promotionValue }],
  }
}
