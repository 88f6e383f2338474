import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fuzzyFilter, fuzzyScore } from '#app/ui/forms/fuzzy.ts'

const numbered = (count: number) => Array.from({ length: count }, (_, place) => `Town ${place}`)

describe('fuzzyScore (PROFILE-23)', () => {
  test.each([
    ['paris', 'Paris', 100],
    ['par', 'Paris', 90],
    ['ari', 'Paris', 80],
    ['pis', 'Paris', 60],
    ['pz', 'Paris', 0],
    ['parisian', 'Paris', 0],
    ['sirap', 'Paris', 0],
  ])('%s in %s is %i', (query, candidate, score) => {
    expect(fuzzyScore(query, candidate)).toBe(score)
  })

  test.each([
    ['orleans', 'Orléans'],
    ['ORLÉANS', 'Orléans'],
    ['orle\u0301ans', 'Orl\u00e9ans'],
    ['saint etienne', 'Saint-Étienne'],
    ["l'isle-adam", 'L’Isle-Adam'],
    ['lodz', 'Łódź'],
    ['kobenhavn', 'København'],
    ['giessen', 'Gießen'],
    [' paris ', 'Paris'],
  ])('%s matches %s exactly', (query, candidate) => {
    expect(fuzzyScore(query, candidate)).toBe(100)
  })

  test('a letter repeated in the query must be there as often', () => {
    expect(fuzzyScore('nnn', 'Nantes')).toBe(0)
    expect(fuzzyScore('nts', 'Nantes')).toBe(60)
  })

  test('a name always matches itself and any part of it', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-zÀ-ÿ' -]*[A-Za-z][A-Za-zÀ-ÿ' -]*$/), fc.nat(), fc.nat(), (name, a, b) => {
        const [from, to] = [a % name.length, b % (name.length + 1)].toSorted((x, y) => x - y)
        expect(fuzzyScore(name.trim(), name.trim())).toBe(100)
        const part = name.slice(from, to).trim()
        if (part !== '') expect(fuzzyScore(part, name)).toBeGreaterThanOrEqual(80)
      }),
    )
  })
})

describe('fuzzyFilter (PROFILE-24)', () => {
  test('up to 2 characters, a list of 100 is shown whole and one of 101 is cut to 50', () => {
    expect(fuzzyFilter(numbered(100), '')).toHaveLength(100)
    expect(fuzzyFilter(numbered(100), 'zz')).toHaveLength(100)
    expect(fuzzyFilter(numbered(101), '')).toEqual(numbered(50))
    expect(fuzzyFilter(numbered(101), 'zz')).toEqual(numbered(50))
  })

  test('from 3 characters, entries that do not match are hidden', () => {
    expect(fuzzyFilter(numbered(101), 'zzz')).toEqual([])
    expect(fuzzyFilter(['Paris', 'Lyon'], 'lyo')).toEqual(['Lyon'])
  })

  test('the best score comes first, and equal scores keep the order of the list', () => {
    const list = ['Saint-Paris', 'Pardes', 'Parisville', 'Port-Arisan', 'Paris', 'Lyon', 'Paris-Plage']
    expect(fuzzyFilter(list, 'paris')).toEqual(['Paris', 'Parisville', 'Paris-Plage', 'Saint-Paris', 'Port-Arisan'])
  })

  test('at most 50, or the given maximum', () => {
    expect(fuzzyFilter(numbered(200), 'town')).toEqual(numbered(50))
    expect(fuzzyFilter(numbered(200), 'town', 3)).toEqual(numbered(3))
  })

  test('changing a result changes neither the list nor the next result', () => {
    const list = Object.freeze(['Nice', 'Nantes', 'Nîmes'])
    const shown = fuzzyFilter(list, '')
    shown.pop()
    expect(fuzzyFilter(list, '')).toEqual(['Nice', 'Nantes', 'Nîmes'])
    expect(fuzzyFilter(list, 'nim')).toEqual(['Nîmes'])
  })
})
