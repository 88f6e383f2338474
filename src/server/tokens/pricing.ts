import type { tokens } from '#contract/tokens.ts'
import type { Handler } from '../http/handle.ts'

export const pricing: Handler<typeof tokens.pricing> = async ({ deps }) => {
  const { tokenPrice, tokenPromotion } = deps.env
  const { conditionValue, promotionValue } = tokenPromotion
  return {
    priceIds: [tokenPrice.id],
    prices: [tokenPrice],
    promotions: [{ condition: 'BULK_BUY', promotionType: 'PERCENT_OFF', conditionValue, promotionValue }],
  }
}
