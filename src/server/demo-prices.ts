import { BULK_PERCENT_DEFAULT, BULK_THRESHOLD_DEFAULT } from '#contract/constants.ts'

/** The prices of a demo; in production they are the card provider's own. Cents */

export const DEMO_PRICES: { id: string; unitAmount: number; currency: string; nickname?: string }[] = [
  { id: 'price_touchline_profile', unitAmount: 4900, currency: 'USD' },
  { id: 'price_touchline_profile_launch', unitAmount: 3900, currency: 'USD', nickname: 'Launch offer' },
]

export const DEMO_TOKEN_PRICE = { id: 'price_touchline_token', unitAmount: 3500, currency: 'USD' }

export const DEMO_TOKEN_PROMOTION = {
  coupon: 'coupon_touchline_bulk',
  conditionValue: BULK_THRESHOLD_DEFAULT,
  promotionValue: BULK_PERCENT_DEFAULT,
}
