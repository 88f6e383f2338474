import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ScreenAnswers } from '#app/questionnaire/answers.ts'

/** Answers of the account that are on screen but not on the disk: it is full, in private mode, or was cleared. */

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

test('an answer of the account stays on screen when an empty disk is read again', async () => {
  answers.show([server])
  await answers.reload()
  expect(answers.snapshot()).toMatchObject({ answers: { q1: { q1: '3' } }, unsent: 0 })
})

test('an answer of the account stays on screen when the disk loses it', async () => {
  answers.take({ answers: [server], receipts: [{ questionId: 'q1', edit: 'server-4', revision: 4 }], late: [] })
  answers.noteLost()
  await answers.reload()
  expect(answers.snapshot()).toMatchObject({ answers: { q1: { q1: '3' } }, unsent: 0 })
  // rows that are taken from the disk count again
  answers.take({ answers: [], receipts: [], late: [] })
  expect(answers.snapshot().answers).toEqual({})
})

test('only answers given on this screen have a time, which is that of the last one', async () => {
  const question = { id: 'q2', question: '', options: [], subQuestions: [] }
  answers.show([server])
  vi.stubGlobal('document', { hidden: true })
  const clock = vi.spyOn(Date, 'now')
  for (const [at, value] of ['1', '2'].entries()) {
    clock.mockReturnValue(1000 * (at + 1))
    await answers.answer(question, 'Section2', { q2: value })
  }
  clock.mockRestore()
  expect([...answers.answeredAt]).toEqual([['q2', 2000]])
  // it is in no row that is stored or sent
  expect(Object.keys(answers.rows().answers.find(({ questionId }) => questionId === 'q2') ?? {}).toSorted()).toEqual([
    'base',
    'edit',
    'questionId',
    'sectionName',
    'value',
  ])
})
