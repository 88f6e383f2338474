import { describe, expect, it } from 'vitest'
import { firstStep, openPath, purchasePath } from '#app/screens/player/next-step.ts'
import type { InstanceSummary } from '#contract/instances.ts'
import type { ProfileFacts } from '#contract/rules/profile.ts'

const complete: ProfileFacts = {
  firstName: 'Sam',
  lastName: 'Diop',
  birthDate: '2008-05-01',
  countryId: 'Senegal',
  cityId: 'Dakar',
  gender: 'female',
  sport: { id: 'soccer' },
  preferredPosition: { id: 'defence-left' },
}
const fields = ['firstName', 'lastName', 'birthDate', 'gender', 'sport', 'preferredPosition'] as const

describe('starting a purchase (HOME-13)', () => {
  it('goes to payment with a complete profile', () => {
    expect(purchasePath('a 1', complete)).toBe('/checkout/a%201/payment')
  })

  it.each([...fields, 'countryId', 'cityId'] as const)('goes to the details step without %s', (field) => {
    expect(purchasePath('a', { ...complete, [field]: null })).toBe('/checkout/a')
  })

  it('goes to the details step while the profile is unknown', () => {
    expect(purchasePath('a', undefined)).toBe('/checkout/a')
  })
})

describe('opening an instance (HOME-14)', () => {
  it('goes to its brief, even without country and city', () => {
    expect(openPath('i', complete, true)).toBe('/assessment/i/brief')
    expect(openPath('i', { ...complete, countryId: null, cityId: null }, true)).toBe('/assessment/i/brief')
  })

  it.each(fields)('goes to its confirm-details without %s', (field) => {
    expect(openPath('i', { ...complete, [field]: null }, true)).toBe('/assessment/i/confirm-details')
  })

  it('goes to its confirm-details while the profile is unknown', () => {
    expect(openPath('i', undefined, true)).toBe('/assessment/i/confirm-details')
  })

  it('goes to its brief with details missing while the API cannot be reached', () => {
    expect(openPath('i', { ...complete, gender: null }, false)).toBe('/assessment/i/brief')
    expect(openPath('i', undefined, false)).toBe('/assessment/i/brief')
  })
})

describe('the first step for somebody new', () => {
  const isNew = { done: 0, hasBegun: false }
  // only the status is read
  const own = (status: InstanceSummary['status']) => ({ status }) as InstanceSummary

  it('is to buy, or to start what was bought or given by a coach', () => {
    expect(firstStep([], isNew)).toBe('buy')
    expect(firstStep([own('OWNED')], isNew)).toBe('begin')
    expect(firstStep([own('ALLOCATED'), own('OWNED')], isNew)).toBe('invited')
  })

  it('is absent once an assessment was started or done, and while nothing is known', () => {
    expect(firstStep([own('OWNED')], { done: 0, hasBegun: true })).toBeUndefined()
    expect(firstStep([], { done: 1, hasBegun: false })).toBeUndefined()
    expect(firstStep(undefined, { done: undefined, hasBegun: false })).toBeUndefined()
  })
})
