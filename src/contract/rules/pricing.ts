import { BULK_PERCENT_DEFAULT, BULK_THRESHOLD_DEFAULT, CURRENCY_DEFAULT } from '../constants.ts'

/** One entry of the provider's price list: `unitAmount` in cents; the one with a nickname is the promotion. BUY-9 */
export interface Price {
  id: string
  unitAmount: number
  currency: string
  nickname?: string | null | undefined
}

export function regularPrice(prices: readonly Price[]): Price | undefined {
  return prices.find((price) => !price.nickname)
}

export function promotionPrice(prices: readonly Price[]): Price | undefined {
  return prices.find((price) => price.nickname)
}

/** The discount shows only when the discounted price is lower than the original. BUY-10 */
export function showsDiscount(discounted: number, original: number | undefined): boolean {
  return original !== undefined && discounted < original
}

/** Cents → "$49.00 USD", in both languages. BUY-10 */
export function formatPrice(cents: number, currency: string = CURRENCY_DEFAULT): string {
  return `$${(cents / 100).toFixed(2)} ${currency.toUpperCase()}`
}

/** The bulk discount, with its defaults when the promotion is absent. TOKENS-8 */
export interface BulkPromotion {
  threshold: number
  percent: number
}
export const BULK_PROMOTION_DEFAULT: BulkPromotion = { threshold: BULK_THRESHOLD_DEFAULT, percent: BULK_PERCENT_DEFAULT }

/** The provider's promotions → the one that is used: condition BULK_BUY, type PERCENT_OFF. TOKENS-9 */
export function bulkPromotionOf(
  promotions: readonly { condition: string; promotionType: string; conditionValue: number; promotionValue: number }[],
): BulkPromotion {
  const used = promotions.find(({ condition, promotionType }) => condition === 'BULK_BUY' && promotionType === 'PERCENT_OFF')
  return used ? { threshold: used.conditionValue, percent: used.promotionValue } : BULK_PROMOTION_DEFAULT
}

/** Percent off applies automatically when the count reaches the threshold. TOKENS-8; cents */
export function tokensTotal(unitAmount: number, count: number, promotion: BulkPromotion = BULK_PROMOTION_DEFAULT): number {
  const full = unitAmount * count
  return count >= promotion.threshold ? Math.round((full * (100 - promotion.percent)) / 100) : full
}
