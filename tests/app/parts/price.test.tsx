import { describe, expect, it } from 'vitest'
import { costOf } from '#app/parts/assessment/price.tsx'

const regular = { id: 'r', unitAmount: 4900, currency: 'usd' }
const promotion = { id: 'p', unitAmount: 3900, currency: 'usd', nickname: 'launch' }
const none = { price: null, originalPrice: null }

describe('what an assessment costs', () => {
  it('is the promotion, with the regular price struck through', () => {
    expect(costOf({ ...none, prices: [regular, promotion] })).toEqual({ amount: 3900, original: 4900, currency: 'usd' })
  })

  it('shows no discount if the promotion is not lower or there is none', () => {
    expect(costOf({ ...none, prices: [regular, { ...promotion, unitAmount: 4900 }] })?.original).toBeUndefined()
    expect(costOf({ ...none, prices: [regular] })).toEqual({ amount: 4900, original: undefined, currency: 'usd' })
  })

  it('is in US dollars without a price list', () => {
    expect(costOf({ price: { unitAmount: 4900, currency: 'eur' }, originalPrice: null, prices: [] })?.currency).toBe('USD')
  })

  it('is unknown without any price', () => {
    expect(costOf({ ...none, prices: [] })).toBeUndefined()
  })
})
