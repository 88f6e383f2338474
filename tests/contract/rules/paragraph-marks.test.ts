import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeMarks, type ParagraphMark } from '#contract/rules/paragraph-marks.ts'

const mark = fc.record({
  paragraph: fc.constantFrom('overview-1', 'style-play'),
  mark: fc.constantFrom('like', 'partly', 'not', null),
  at: fc.integer({ min: 0, max: 5 }),
})
const list = fc.uniqueArray(mark, { selector: ({ paragraph }) => paragraph })

test('devices that merge in any order show the latest tap of each paragraph', () => {
  const latest = (lists: ParagraphMark[][]) =>
    new Map(
      lists
        .flat()
        .sort((a, b) => a.at - b.at)
        .map(({ paragraph, at }) => [paragraph, at]),
    )
  fc.assert(
    fc.property(list, list, list, (one, other, third) => {
      for (const merged of [mergeMarks(mergeMarks(one, other), third), mergeMarks(third, mergeMarks(other, one))]) {
        expect(new Map(merged.map(({ paragraph, at }) => [paragraph, at]))).toEqual(latest([one, other, third]))
      }
    }),
  )
})
