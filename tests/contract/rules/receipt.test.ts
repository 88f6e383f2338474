import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSuperseded, sameValue } from '#contract/rules/merge.ts'
import type { GroupValue } from '#contract/rules/questionnaire.ts'
import { hashOfGroups, receiptOf } from '#contract/rules/receipt.ts'

/** What a receipt proves, and when a group from another device stays (ANSWERS-6, ANSWERS-11). */

const groups = fc.dictionary(
  fc.constantFrom('q1', 'q2', 'q3'),
  fc.dictionary(fc.constantFrom('a', 'b'), fc.option(fc.constantFrom('1', '2', '3'))),
)

it('a receipt does not depend on the order of groups or items', () => {
  fc.assert(
    fc.property(groups, (some) => {
      const turned = Object.fromEntries(
        Object.entries(some)
          .toReversed()
          .map(([id, group]) => [id, Object.fromEntries(Object.entries(group).toReversed())]),
      )
      expect(receiptOf(turned)).toEqual(receiptOf(some))
    }),
  )
})

it('a missing, added or changed answer changes the receipt', () => {
  const receipt = receiptOf({ q1: { a: '1', b: '2' } })
  expect(receipt.count).toBe(2)
  for (const other of [
    { q1: { a: '1', b: null } },
    { q1: { a: '2', b: '1' } },
    { q1: { a: '1', b: '2' }, q2: { a: null } },
    { q2: { a: '1', b: '2' } },
  ]) {
    expect(receiptOf(other).hash).not.toBe(receipt.hash)
  }
})

it('an item that is missing and an item that is cleared are the same value', () => {
  expect(sameValue({ a: '1' }, { a: '1', b: null })).toBe(true)
  expect(sameValue({ a: '1' }, { b: '1' })).toBe(false)
})

it.each([
  ['nothing stored', undefined, { base: 0 }, 'phone', false],
  ['the own earlier save, its reply lost', { device: 'phone', revision: 3 }, { base: 0 }, 'phone', false],
  ['another device, seen', { device: 'tablet', revision: 3 }, { base: 3 }, 'phone', false],
  ['another device, not seen', { device: 'tablet', revision: 3 }, { base: 2 }, 'phone', true],
  ['a caller that names no device', { device: 'tablet', revision: 3 }, { base: 0 }, null, false],
] as const)('whether a stored group displaces a late one: %s', (_what, current, { base }, device, superseded) => {
  const stored = current && { questionId: 'q', value: { q: 'A' }, ...current }
  expect(isSuperseded(stored, { questionId: 'q', value: { q: 'B' }, base }, device)).toBe(superseded)
})

it.each([
  ['an earlier edit', 3, 2, 1, true],
  ['a later edit, though its base is old', 3, 2, 9, false],
  ['an earlier edit, made on the stored revision', 3, 3, 1, false],
  // the account’s own value, which the device took over after it had lost its answers
  ['a copy without an order, though the account has gone on', 3, 2, null, true],
  ['an edit without an order, made on the stored revision', 3, 3, null, false],
] as const)('whether a device’s own later edit stays: %s', (_what, revision, base, order, superseded) => {
  const stored = { questionId: 'q', value: { q: 'A' }, device: 'phone', revision, order: 5 }
  expect(isSuperseded(stored, { questionId: 'q', value: { q: 'B' }, base, order }, 'phone')).toBe(superseded)
})

it('edits of an app that names no order are written as they come', () => {
  const stored = { questionId: 'q', value: { q: 'A' }, device: 'phone', revision: 3, order: null }
  expect(isSuperseded(stored, { questionId: 'q', value: { q: 'B' }, base: 2, order: null }, 'phone')).toBe(false)
})

it('the same value from two devices is no conflict', () => {
  expect(
    isSuperseded(
      { questionId: 'q', value: { q: 'A' }, revision: 3, device: 'tablet' },
      { questionId: 'q', value: { q: 'A' }, base: 0 },
      'phone',
    ),
  ).toBe(false)
})

describe('one hash over all groups of an instance', () => {
  const held = (questionId: string, revision: number, value: GroupValue) => ({ questionId, revision, value })
  const [one, other] = [held('a', 2, { a1: '1', a2: null }), held('b', 1, { b: 'A' })]

  it('is the same in any order, and whether an empty item is named or not', () => {
    expect(hashOfGroups([one, other])).toBe(hashOfGroups([other, held('a', 2, { a1: '1' })]))
  })

  it.each([
    ['a value', [held('a', 2, { a1: '2' }), other]],
    ['a revision', [held('a', 3, { a1: '1' }), other]],
    ['a cleared item', [held('a', 2, {}), other]],
    ['a group that is missing', [one]],
    ['a group more', [one, other, held('c', 1, {})]],
    ['the same values elsewhere', [held('b', 2, { a1: '1' }), held('a', 1, { b: 'A' })]],
  ])('changes with %s', (_what, groups) => {
    expect(hashOfGroups(groups)).not.toBe(hashOfGroups([one, other]))
  })
})
