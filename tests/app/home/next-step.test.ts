import { describe, expect, it } from 'vitest'
import { openPath, purchasePath } from '#app/screens/home/next-step.ts'
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

describe('starting a purchase (§4 Profile-completeness routing)', () => {
  it('goes to payment with a complete profile', () => {
    expect(purchasePath('a 1', complete)).toBe('/checkout/a%201/payment')
  })

  it.each([...fields, 'countryId', 'cityId'] as const)('goes to the details step without %s', (field) => {
    expect(purchasePath('a', { ...complete, [field]: null })).toBe('/checkout/a')
  })

  it('goes to the details step while nothing is known of the profile', () => {
    expect(purchasePath('a', undefined)).toBe('/checkout/a')
  })
})

describe('opening an instance (§4, ruling 27)', () => {
  it('goes to its brief, also without country and city', () => {
    expect(openPath('i', complete, true)).toBe('/assessment/i/brief')
    expect(openPath('i', { ...complete, countryId: null, cityId: null }, true)).toBe('/assessment/i/brief')
  })

  it.each(fields)('goes to its confirm-details without %s', (field) => {
    expect(openPath('i', { ...complete, [field]: null }, true)).toBe('/assessment/i/confirm-details')
  })

  it('goes to its confirm-details while nothing is known of the profile', () => {
    expect(openPath('i', undefined, true)).toBe('/assessment/i/confirm-details')
  })

  it('answering may begin while the API cannot be reached', () => {
    expect(openPath('i', { ...complete, gender: null }, false)).toBe('/assessment/i/brief')
    expect(openPath('i', undefined, false)).toBe('/assessment/i/brief')
  })
})
