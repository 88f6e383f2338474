import { describe, expect, it, vi } from 'vitest'
import { lastOnly, rankBy } from '#app/parts/details/country-city-fields.tsx'
import { monthChoices } from '#app/parts/details/birth-date-fields.tsx'
import { pascal, lookupChoices } from '#app/parts/details/use-lookups.ts'

const names = ['France', 'French Guiana', 'South Africa', 'Central African Republic', 'Germany']
const french: Record<string, string> = {
  France: 'France',
  'French Guiana': 'Guyane française',
  'South Africa': 'Afrique du Sud',
  'Central African Republic': 'République centrafricaine',
  Germany: 'Allemagne',
}
const search = rankBy(names, (name) => french[name] ?? name, 'fr')

describe('the country search', () => {
  it('offers every country, in the reader’s order, while nothing is typed', () => {
    expect(search('')).toEqual(['South Africa', 'Germany', 'France', 'French Guiana', 'Central African Republic'])
  })

  it('finds the reader’s or the English name, best match first', () => {
    expect(search('fr')).toEqual(['France', 'French Guiana', 'South Africa', 'Central African Republic'])
    expect(search('ger')[0]).toBe('Germany')
    expect(search('republique')).toEqual(['Central African Republic'])
    expect(search('zzz')).toEqual([])
  })
})

it('a search for the same text is not run twice', () => {
  const through = vi.fn((typed: string) => [typed])
  const once = lastOnly(through)
  expect(once('par')).toBe(once('par'))
  expect(once('pari')).toEqual(['pari'])
  expect(through).toHaveBeenCalledTimes(2)
})

describe('choices', () => {
  it('of teams have lower-case values, with hyphens for the club type', () => {
    expect(lookupChoices(['Amateur Club'], true)).toEqual([{ value: 'amateur-club', label: 'Amateur Club' }])
    expect(lookupChoices(['Under 17'], false)).toEqual([{ value: 'under 17', label: 'Under 17' }])
  })

  it('have their words under their value in PascalCase', () => {
    expect(['defence-left', 'amateur-club', 'male', 'u17', 'under 17'].map(pascal)).toEqual([
      'DefenceLeft',
      'AmateurClub',
      'Male',
      'U17',
      'Under17',
    ])
  })

  it('of months go from 01 to 12 with their names', () => {
    expect(monthChoices('en')[0]).toEqual({ value: '01', label: 'January' })
    expect(monthChoices('fr')[7]).toEqual({ value: '08', label: 'août' })
    expect(monthChoices('en').map(({ value }) => value)).toEqual(['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12'])
  })
})
