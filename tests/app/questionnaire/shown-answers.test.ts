import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readRows } from '#app/device/store/device-store.ts'
import { unwrittenRequested } from '#app/device/sending/unwritten-requests.ts'
import { ScreenAnswers } from '#app/questionnaire/answers.ts'
import { operationOf } from '#app/sync/sync.ts'

/** Answers of the account that are on screen but not on the disk: it is full, in private mode, or was cleared. */

const server = { questionId: 'q1', sectionName: 'Section1', value: { q1: '3' }, edit: 'server-4', base: 4, isCopy: true }
let answers: ScreenAnswers

beforeEach(() => {
  for (const name of ['addEventListener', 'removeEventListener']) vi.stubGlobal(name, () => undefined)
  answers = new ScreenAnswers({ userId: 'u1', instanceId: 'i1' }, { onSaved: () => undefined, sendDirectly: async () => [] })
})
afterEach(() => {
  answers.close()
  vi.unstubAllGlobals()
})

test('an answer of the account stays on screen when an empty disk is read again', async () => {
  answers.showServerRows([server])
  await answers.reload()
  expect(answers.snapshot()).toMatchObject({ answers: { q1: { q1: '3' } }, unsent: 0 })
})

test('an answer of the account stays on screen when the disk loses it', async () => {
  answers.applyRows({ answers: [server], receipts: [{ questionId: 'q1', edit: 'server-4', revision: 4 }], late: [] })
  answers.treatAllAsUnwritten()
  await answers.reload()
  expect(answers.snapshot()).toMatchObject({ answers: { q1: { q1: '3' } }, unsent: 0 })
  // rows that are read from the disk count again
  answers.applyRows({ answers: [], receipts: [], late: [] })
  expect(answers.snapshot().answers).toEqual({})
})

test('a save that is acknowledged after its answer was discarded makes no answer of the account unsent', async () => {
  const reply = Promise.withResolvers<string[]>()
  const screen = new ScreenAnswers({ userId: 'u2', instanceId: 'i2' }, { onSaved: () => undefined, sendDirectly: () => reply.promise })
  screen.applyRows({ answers: [{ ...server, value: { q1: '5' }, edit: 'own', order: 1, isCopy: false }], receipts: [], late: [] })
  screen.treatAllAsUnwritten()
  unwrittenRequested.emit({ userId: 'u2', isDiscarded: true })
  screen.showServerRows([server])
  reply.resolve(['own'])
  await vi.waitFor(() => expect(screen.snapshot()).toMatchObject({ answers: { q1: { q1: '3' } }, hasFailedWrites: false }))
  await reply.promise
  expect(screen.snapshot().unsent).toBe(0)
  screen.close()
})

test('a page that has just been opened shows no more what another tab discards', async () => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  answers.applyRows({ answers: [{ ...server, edit: 'own', order: 1, isCopy: false }], receipts: [], late: [] })
  expect(answers.snapshot().unsent).toBe(1)
  const otherTab = new BroadcastChannel('touchline-unwritten')
  otherTab.postMessage({ userId: 'u1', isDiscarded: true, endsSession: 's' })
  await vi.waitFor(() => expect(answers.snapshot()).toMatchObject({ answers: {}, unsent: 0 }))
  otherTab.close()
})

describe('how long an answer took', () => {
  const question = (id: string) => ({ id, question: '', options: [], subQuestions: [] })
  const clock = vi.spyOn(Date, 'now')
  const answerAt = async (ms: number, id: string, value = '1', screen = answers) => {
    clock.mockReturnValue(ms)
    await screen.answer(question(id), 'Section2', { [id]: value })
  }
  beforeEach(() => vi.stubGlobal('document', { hidden: true }))
  afterEach(() => clock.mockReset())

  test('is the time since the previous answer, and unknown for the first and for those from the account', async () => {
    answers.showServerRows([server])
    await answerAt(1000, 'q2')
    await answerAt(1400, 'q3')
    await answerAt(9400, 'q4')
    expect([...answers.tookMs()]).toEqual([
      ['q3', 400],
      ['q4', 8000],
    ])
  })

  test('keeps the longer time when an answer is changed, as the question was read before', async () => {
    await answerAt(0, 'q1')
    await answerAt(5000, 'q2')
    await answerAt(5300, 'q2', '2')
    await answerAt(5700, 'q3')
    await answerAt(9700, 'q3', '2')
    expect([...answers.tookMs()]).toEqual([
      ['q2', 5000],
      ['q3', 4000],
    ])
  })

  test('is known after a reload and in another tab, without the pause in between', async () => {
    const sitting = (from: number) => [0, 1, 2, 3].map((at) => [from + 500 * at, `tab-${from}-${at}`] as const)
    for (const [ms, id] of sitting(0)) await answerAt(ms, id)
    const rows = await readRows(answers.key)
    const later = new ScreenAnswers(answers.key, { onSaved: () => undefined, sendDirectly: async () => [] })
    later.applyRows(rows)
    for (const [ms, id] of sitting(86_400_000)) await answerAt(ms, id, '1', later)
    const times = [...later.tookMs()].flatMap(([id, ms]) => (id.startsWith('tab-') ? [ms] : []))
    later.close()
    expect(times).toEqual(Array.from({ length: 6 }, () => 500))
  })

  test('is never sent, and in no file', async () => {
    await answerAt(0, 'q1')
    await answerAt(700, 'q2')
    const rows = answers.rows().answers
    expect(rows.find(({ questionId }) => questionId === 'q2')).toHaveProperty('tookMs', 700)
    const operation = operationOf(rows, { id: 'o1', instanceId: 'i1', deviceId: 'd1', contentVersion: 'v1' })
    expect(JSON.stringify(operation)).not.toMatch(/took|\b700\b/)
  })
})

test('the number that was filled in automatically is stored, never sent, and dropped once the account has another value', async () => {
  vi.stubGlobal('document', { hidden: true })
  const ranking = { id: 'q5', question: '', options: [], subQuestions: [] }
  await answers.answer(ranking, 'Section1', { a: '2', b: '1' }, { filled: ['b'] })
  await answers.reload()
  expect(answers.ownRow(ranking)).toHaveProperty('filled', ['b'])
  const { answers: rows } = await readRows({ userId: 'u1', instanceId: 'i1' })
  expect(rows.find(({ questionId }) => questionId === 'q5')).toHaveProperty('filled', ['b'])
  const operation = operationOf(rows, { id: 'o1', instanceId: 'i1', deviceId: 'd1', contentVersion: 'v1' })
  expect(JSON.stringify(operation)).not.toContain('filled')
  answers.applyRows({ answers: [{ ...server, questionId: 'q5' }], receipts: [], late: [] })
  expect(answers.ownRow(ranking)).toBeUndefined()
})
