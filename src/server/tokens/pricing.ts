import type { tokens } from '#contract/tokens.ts'
import type { Handler } from '../http/handler.ts'

/** The price of a token, in cents, and the bulk discount, from the settings. TOKENS-9 */
export const pricing: Handler<typeof tokens.pricing> = async ({ deps }) => {
  const { tokenPrice, tokenPromotion } = deps.env
  const { conditionValue, promotionValue } = tokenPromotion
  return {
    priceIds: [tokenPrice.id],
    prices: [tokenPrice],
    promotions: [{ condition: 'BULK_BUY', promotionType: 'PERCENT_OFF', conditionValue, promotionValue }],
  }
}
