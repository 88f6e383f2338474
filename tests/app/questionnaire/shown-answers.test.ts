import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ScreenAnswers } from '#app/questionnaire/answers.ts'

/** What the account has, on screen where the disk never took it: a full disk, private mode, site data that were cleared. */

const server = { questionId: 'q1', sectionName: 'Section1', value: { q1: '3' }, edit: 'server-4', base: 4, isCopy: true }
let answers: ScreenAnswers

beforeEach(() => {
  for (const name of ['addEventListener', 'removeEventListener']) vi.stubGlobal(name, () => undefined)
  answers = new ScreenAnswers({ userId: 'u1', instanceId: 'i1' }, { saved: () => undefined, notSaved: async () => [] })
})
afterEach(() => {
  answers.close()
  vi.unstubAllGlobals()
})

test('stays when a disk that has nothing of it is read again', async () => {
  answers.show([server])
  await answers.reload()
  expect(answers.snapshot()).toMatchObject({ answers: { q1: { q1: '3' } }, unsent: 0 })
})

test('stays when the disk has lost it', async () => {
  answers.take({ answers: [server], receipts: [{ questionId: 'q1', edit: 'server-4', revision: 4 }], late: [] })
  answers.noteLost()
  await answers.reload()
  expect(answers.snapshot()).toMatchObject({ answers: { q1: { q1: '3' } }, unsent: 0 })
  // written again, the disk is what counts
  answers.take({ answers: [], receipts: [], late: [] })
  expect(answers.snapshot().answers).toEqual({})
})
