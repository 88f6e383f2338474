import { BULK_PERCENT_DEFAULT, BULK_THRESHOLD_DEFAULT, CURRENCY_DEFAULT } from '../constants.ts'

/** One entry of the provider's price list. `unitAmount` in cents. A price with a nickname is the promotion. BUY-9 */
export interface Price {
  id: string
  unitAmount: number
  currency: string
  nickname?: string | null | undefined
}

/** The price without a nickname, in cents; undefined if the list has none. */
export function regularPrice(prices: readonly Price[]): Price | undefined {
  return prices.find((price) => !price.nickname)
}

/** The price with a nickname, in cents; undefined if there is no promotion. */
export function promotionPrice(prices: readonly Price[]): Price | undefined {
  return prices.find((price) => price.nickname)
}

/** The discount is shown only if the discounted price is lower than the original one. BUY-10 */
export function showsDiscount(discounted: number, original: number | undefined): boolean {
  return original !== undefined && discounted < original
}

/** Cents → "$49.00 USD", in both languages. BUY-10 */
export function formatPrice(cents: number, currency: string = CURRENCY_DEFAULT): string {
  return `$${(cents / 100).toFixed(2)} ${currency.toUpperCase()}`
}

/** The bulk discount: `percent` off from `threshold` tokens. TOKENS-8 */
export interface BulkPromotion {
  threshold: number
  percent: number
}
export const BULK_PROMOTION_DEFAULT: BulkPromotion = { threshold: BULK_THRESHOLD_DEFAULT, percent: BULK_PERCENT_DEFAULT }

/** The provider's promotion with condition BULK_BUY and type PERCENT_OFF, or the default if there is none. TOKENS-9 */
export function bulkPromotionOf(
  promotions: readonly { condition: string; promotionType: string; conditionValue: number; promotionValue: number }[],
): BulkPromotion {
  const used = promotions.find(({ condition, promotionType }) => condition === 'BULK_BUY' && promotionType === 'PERCENT_OFF')
  return used ? { threshold: used.conditionValue, percent: used.promotionValue } : BULK_PROMOTION_DEFAULT
}

/** Price of a number of tokens, in cents; the discount applies automatically from the threshold on. TOKENS-8 */
export function tokensTotal(unitAmount: number, count: number, promotion: BulkPromotion = BULK_PROMOTION_DEFAULT): number {
  const full = unitAmount * count
  return count >= promotion.threshold ? Math.round((full * (100 - promotion.percent)) / 100) : full
}
