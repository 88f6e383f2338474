import { expect, test } from 'vitest'
import type { Translation } from '#app/i18n/use-translation.ts'
import type { WaitingCounts } from '#app/session/private-store.ts'
import { leavingWords } from '#app/shell/sign-out-words.ts'
import { NOTHING_WAITS } from '#tests/support/nothing-waits.ts'

const t = ((key: string, { count }: { count?: number } = {}) =>
  count === undefined ? key : `${key} ${count}`) as unknown as Translation['t'] // the two ways it is called here

/** The confirmation before it is discarded. */
function asked(found: Partial<WaitingCounts>): (string | undefined)[] {
  const { discard, alsoDiscarded } = leavingWords({ ...NOTHING_WAITS, ...found }, t)
  return [discard, ...alsoDiscarded]
}

test('the confirmation names everything that is discarded, the most serious first. SESSION-17', () => {
  expect(asked({ answers: 2, late: 1, submits: 1, marks: 3, hasDraft: true })).toEqual([
    'leaving:DiscardTitle 3',
    'leaving:UnsentSubmitToo 1',
    'leaving:MarksToo 3',
    'leaving:DraftToo',
  ])
  expect(asked({ marks: 1, hasDraft: true })).toEqual(['leaving:DiscardMarksTitle 1', 'leaving:DraftToo'])
  expect(asked({ submits: 1, hasDraft: true })).toEqual(['leaving:DiscardDraftTitle', 'leaving:UnsentSubmitToo 1'])
})

test('it names nothing twice, and nothing that stays', () => {
  expect(asked({ answers: 1 })).toEqual(['leaving:DiscardTitle 1'])
  expect(asked({ marks: 1 })).toEqual(['leaving:DiscardMarksTitle 1'])
  expect(asked({ hasDraft: true })).toEqual(['leaving:DiscardDraftTitle'])
  expect(asked({ submits: 1 })).toEqual([undefined])
})
