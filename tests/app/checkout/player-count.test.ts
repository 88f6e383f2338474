import { describe, expect, it } from 'vitest'
import { clampCount, countOfQuery, plainDigits } from '#app/screens/checkout/purchase-token/player-count.ts'

/** The number of tokens, as typed and in the address (TOKENS-3, TOKENS-4). */

describe('the count of an address', () => {
  it.each([
    [null, 1],
    ['', 1],
    ['0', 1],
    ['-3', 1],
    ['abc', 1],
    ['3 players', 1],
    ['1.5', 1],
    ['1e2', 1],
    ['0x10', 1],
    ['Infinity', 1],
    ['1', 1],
    ['15', 15],
    ['015', 15],
    ['100', 100],
    ['101', 100],
    ['9'.repeat(400), 100],
  ])('%s means %i', (text, count) => {
    expect(countOfQuery(text)).toBe(count)
  })
})

describe('only digits can be typed or pasted', () => {
  it.each(['12', ' 12 ', '012', ''])('%j is accepted', (text) => expect(plainDigits(text)).toBe(text.trim()))
  it.each(['1.5', '1,5', '1e2', '1 2', '-3', 'a', '٣', '1%'])('%j is not', (text) => expect(plainDigits(text)).toBeUndefined())
})

it('a count outside 1 to 100 is clamped', () => {
  expect([-1, 0, 1, 57, 100, 101].map(clampCount)).toEqual([1, 1, 1, 57, 100, 100])
})
