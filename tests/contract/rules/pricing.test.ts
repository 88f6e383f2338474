import { expect, it } from 'vitest'
import { bulkPromotionOf, formatPrice, promotionPrice, regularPrice, showsDiscount, tokensTotal } from '#contract/rules/pricing.ts'

/** Prices, the discount, and the bulk discount. BUY-10, TOKENS-9, TOKENS-8 */

const prices = [
  { id: 'regular', unitAmount: 4900, currency: 'usd' },
  { id: 'launch', unitAmount: 3900, currency: 'usd', nickname: 'Launch' },
]

it('the price without a nickname is the regular one, the one with it the promotion', () => {
  expect(regularPrice(prices)?.id).toBe('regular')
  expect(promotionPrice(prices)?.id).toBe('launch')
  expect(promotionPrice([{ id: 'x', unitAmount: 1, currency: 'usd', nickname: null }])).toBeUndefined()
})

it('cents become two decimals, a $ sign and the code in uppercase', () => {
  expect(formatPrice(4900, 'usd')).toBe('$49.00 USD')
  expect(formatPrice(5)).toBe('$0.05 USD')
})

it('the discount shows only when it is lower', () => {
  expect([showsDiscount(3900, 4900), showsDiscount(4900, 4900), showsDiscount(3900, undefined)]).toEqual([true, false, false])
})

it('the bulk discount applies from its threshold on: 12 tokens, 20 percent by default', () => {
  expect(tokensTotal(1000, 11)).toBe(11_000)
  expect(tokensTotal(1000, 12)).toBe(9600)
  expect(tokensTotal(999, 13, { threshold: 13, percent: 15 })).toBe(11_039)
})

it('the bulk discount is the PERCENT_OFF promotion for BULK_BUY, else the default', () => {
  const bulk = { condition: 'BULK_BUY', promotionType: 'PERCENT_OFF', conditionValue: 15, promotionValue: 25 }
  const others = [
    { ...bulk, condition: 'FIRST_BUY' },
    { ...bulk, promotionType: 'AMOUNT_OFF' },
  ]
  expect(bulkPromotionOf([...others, bulk])).toEqual({ threshold: 15, percent: 25 })
  expect(bulkPromotionOf(others)).toEqual({ threshold: 12, percent: 20 })
})
