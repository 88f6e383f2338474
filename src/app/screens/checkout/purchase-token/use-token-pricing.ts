import { useCall } from '#app/api/use-call.ts'
import type { Cost } from '#app/parts/assessment/price.tsx'
import { useLastDefined } from '#app/parts/use-last-defined.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { bulkPromotionOf, showsDiscount, tokensTotal, type BulkPromotion, type Price } from '#contract/rules/pricing.ts'
import { tokens } from '#contract/tokens.ts'

/** What a token costs, by the first price id. TOKENS-9, TOKENS-8 */
export interface TokenPricing {
  /** undefined: nothing is on sale */
  priceId: string | undefined
  /** undefined: not in the price list; the provider's form then shows the price */
  price: Price | undefined
  promotion: BulkPromotion
}

interface TokenPricingRead {
  pricing: TokenPricing | undefined
  hasFailed: boolean
  retry: () => void
}

/** The last pricing stays while it is fetched in another language. */
export function useTokenPricing(): TokenPricingRead {
  const read = useCall(tokens.pricing)
  const reply = useLastDefined(read.data)
  return { pricing: reply && pricingOf(reply), hasFailed: !reply && read.isError, retry: () => void read.refetch() }
}

export function pricingOf({ priceIds, prices, promotions }: ReplyOf<typeof tokens.pricing>): TokenPricing {
  const [priceId] = priceIds
  return { priceId, price: prices.find(({ id }) => id === priceId), promotion: bulkPromotionOf(promotions) }
}

/** The cost in cents. `original` is set only if the discounted price is lower. BUY-10 */
export function costOfTokens({ unitAmount, currency }: Price, count: number, promotion: BulkPromotion): Cost {
  const original = unitAmount * count
  const amount = tokensTotal(unitAmount, count, promotion)
  return { amount, original: showsDiscount(amount, original) ? original : undefined, currency }
}

/** How many more tokens bring the discount; 0 if it applies already or is 0 percent. */
export function tokensToDiscount(count: number, { threshold, percent }: BulkPromotion): number {
  return percent > 0 ? Math.max(threshold - count, 0) : 0
}
