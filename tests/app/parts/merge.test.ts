import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { includesEdits, merged } from '#app/parts/details/merge.ts'

interface Row {
  name: string
  town: string
  age: string
  kind: string
  gender: string
  colour: string
}
interface Form {
  rows: Row[]
}

/** What one side does with a row of the base. */
type Act = 'leave' | 'remove' | { field: 'town' | 'age' }

const NAMES = ['amber', 'birch', 'cedar', 'dune', 'ebony']
const rowOf = (name: string): Row => ({
  name,
  town: `${name} town`,
  age: `${name} age`,
  kind: `${name} kind`,
  gender: `${name} gender`,
  colour: `${name} colour`,
})
const sideOf = (act: fc.Arbitrary<Act>) => fc.record({ acts: fc.array(act, { minLength: 5, maxLength: 5 }), added: fc.nat(2) })
const act = (field: 'town' | 'age') => fc.constantFrom<Act>('leave', 'remove', { field })

function applied(base: readonly Row[], { acts, added }: { acts: Act[]; added: number }, side: string): Row[] {
  const rows = base.flatMap((row, place) => {
    const one = acts[place] ?? 'leave'
    if (one === 'remove') return []
    return [one === 'leave' ? row : { ...row, [one.field]: `${side} edited` }]
  })
  return [...rows, ...Array.from({ length: added }, (_, number) => rowOf(`${side}${number}`))]
}

describe('a list that was changed in two places', () => {
  it('has what either has added or edited, and nothing that was removed and not edited', () => {
    const sides = fc.tuple(fc.nat(5), sideOf(act('town')), sideOf(act('age')))
    fc.assert(
      fc.property(sides, ([count, here, there]) => {
        const base = NAMES.slice(0, count).map(rowOf)
        const [typed, saved]: [Form, Form] = [{ rows: applied(base, here, 'here') }, { rows: applied(base, there, 'there') }]
        const result = merged<Form>({ rows: base }, typed, saved)
        const expected = base.flatMap((row, place) => {
          const both = [here.acts[place] ?? 'leave', there.acts[place] ?? 'leave'] as const
          const edits = both.map((one, side) => (typeof one === 'object' ? { [one.field]: `${side === 0 ? 'here' : 'there'} edited` } : {}))
          const isEdited = both.some((one) => typeof one === 'object')
          return both.includes('remove') && !isEdited ? [] : [{ ...row, ...edits[0], ...edits[1] }]
        })
        const added = [...typed.rows, ...saved.rows].filter(({ name }) => !NAMES.includes(name))
        // those of the base in their order, then those that were added here, then there
        expect(result.rows).toEqual([...expected, ...added])
        // both are in it, so that neither is merged again
        expect([
          includesEdits(result, { values: typed, base: { rows: base } }),
          includesEdits(result, { values: saved, base: { rows: base } }),
        ]).toEqual([true, true])
      }),
    )
  })

  it('has the rows in the order that they have here, whatever their order there', () => {
    const listOf = (names: string[]): Form => ({ rows: names.map(rowOf) })
    const orderWith = (added: string[]) => fc.shuffledSubarray([...NAMES, ...added], { minLength: NAMES.length + added.length })
    fc.assert(
      fc.property(orderWith(['fern', 'grove']), orderWith(['heath', 'iris']), (typed, saved) => {
        const result = merged(listOf(NAMES), listOf(typed), listOf(saved)).rows.map(({ name }) => name)
        expect(result).toEqual([...typed, ...saved.filter((name) => !NAMES.includes(name))])
      }),
    )
  })

  it('loses no row that is new in either, however alike the rows are', () => {
    const alike = fc.array(fc.constantFrom('A', 'A2', 'B', 'B2', 'C'), { maxLength: 4 })
    const listOf = (names: string[]): Form => ({ rows: names.map((name) => ({ ...rowOf('x'), name })) })
    fc.assert(
      fc.property(alike, alike, alike, (base, typed, saved) => {
        const result = new Set(merged(listOf(base), listOf(typed), listOf(saved)).rows.map(({ name }) => name))
        const isNew = (name: string) => !base.some((one) => one === name)
        const lost = typed.filter((name) => isNew(name) && !result.has(name))
        expect(lost).toEqual([])
      }),
    )
  })
})
