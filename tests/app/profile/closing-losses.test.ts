import { expect, test } from 'vitest'
import type { Translation } from '#app/i18n/use-translation.ts'
import { closingLosses } from '#app/screens/profile/closing-losses.ts'
import type { WaitingCounts } from '#app/session/private-store.ts'
import { NOTHING_WAITS } from '#tests/support/nothing-waits.ts'

const t = ((key: string, { count }: { count?: number } = {}) =>
  count === undefined ? key : `${key} ${count}`) as unknown as Translation['t'] // the two ways it is called here

const found = (waiting: Partial<WaitingCounts>): WaitingCounts => ({ ...NOTHING_WAITS, ...waiting })

test('closing the account names everything that it would lose on this device. PROFILE-42', () => {
  expect(closingLosses(found({ answers: 2, unwritten: 1, late: 1, submits: 1, marks: 3, hasDraft: true }), t)).toEqual([
    'profile:CloseAccountUnsent 2',
    'profile:CloseAccountLate 1',
    'profile:CloseAccountMarks 3',
    'profile:CloseAccountDraft',
  ])
  expect(closingLosses(found({}), t)).toEqual([])
})

test('a device that cannot be read is said', () => {
  expect(closingLosses(undefined, t)).toEqual(['profile:CloseAccountUnknown'])
})
