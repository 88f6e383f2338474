import { describe, expect, it } from 'vitest'
import { costOfTokens, tokensToDiscount, pricingOf } from '#app/screens/checkout/purchase-token/use-token-pricing.ts'

/** What tokens cost. TOKENS-9, TOKENS-8, BUY-10 */

const first = { id: 'price_first', unitAmount: 3500, currency: 'usd' }
const second = { id: 'price_second', unitAmount: 100, currency: 'usd' }
const bulk = { threshold: 12, percent: 20 }

describe('what a token costs', () => {
  it('is the price of the first id, wherever it stands in the list', () => {
    const { priceId, price } = pricingOf({ priceIds: ['price_first', 'price_second'], prices: [second, first], promotions: [] })
    expect([priceId, price]).toEqual(['price_first', first])
  })

  it('is unknown when the list lacks that id, and nothing is for sale without an id', () => {
    expect(pricingOf({ priceIds: ['price_first'], prices: [second], promotions: [] })).toMatchObject({
      priceId: 'price_first',
      price: undefined,
    })
    expect(pricingOf({ priceIds: [], prices: [first], promotions: [] }).priceId).toBeUndefined()
  })

  it('has the server’s discount, or the default one', () => {
    const promotion = { condition: 'BULK_BUY', promotionType: 'PERCENT_OFF', conditionValue: 5, promotionValue: 10 }
    expect(pricingOf({ priceIds: [], prices: [], promotions: [promotion] }).promotion).toEqual({ threshold: 5, percent: 10 })
    expect(pricingOf({ priceIds: [], prices: [], promotions: [] }).promotion).toEqual(bulk)
  })
})

describe('the total', () => {
  it('strikes the full price through from the threshold on, and nothing below it', () => {
    expect(costOfTokens(first, 11, bulk)).toEqual({ amount: 38_500, original: undefined, currency: 'usd' })
    expect(costOfTokens(first, 12, bulk)).toEqual({ amount: 33_600, original: 42_000, currency: 'usd' })
  })

  it('strikes nothing through if the discount is zero', () => {
    expect(costOfTokens(first, 12, { threshold: 12, percent: 0 }).original).toBeUndefined()
  })

  it('says how many more tokens would earn the discount', () => {
    expect([1, 11, 12, 100].map((count) => tokensToDiscount(count, bulk))).toEqual([11, 1, 0, 0])
    expect(tokensToDiscount(1, { threshold: 12, percent: 0 })).toBe(0)
  })
})
