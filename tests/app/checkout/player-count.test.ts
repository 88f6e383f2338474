import { describe, expect, it } from 'vitest'
import { clampCount, countOfQuery, digitsOf } from '#app/screens/checkout/player-count.ts'

/** §2 /checkout/purchase-token/payment, §5 Token count stepper */

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

it('only digits can be typed or pasted', () => {
  expect(digitsOf(' 1 2,5-a٣')).toBe('125')
})

it('what is outside the bounds is clamped to them', () => {
  expect([-1, 0, 1, 57, 100, 101].map(clampCount)).toEqual([1, 1, 1, 57, 100, 100])
})
