import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Questionnaire } from '#app/questionnaire/questionnaire.ts'
import { beforeSubmit } from '#app/screens/assessment/doubts/before-submit.ts'
import type { Section } from '#contract/rules/questionnaire.ts'

/** Whether and when Submit is told that the answers look unread. QUESTIONS-22 */

const loading = vi.hoisted(() => ({
  panel: (): Promise<unknown> => Promise.resolve(),
  words: (): Promise<boolean> => Promise.resolve(true),
}))
vi.mock('#app/screens/assessment/sending/on-demand.ts', () => ({ loadAnswerDoubts: () => loading.panel() }))
vi.mock('#app/i18n/i18n.ts', () => ({ loadWordsAhead: () => loading.words() }))

const AnswerDoubts = () => null
const pairs = Array.from({ length: 44 }, (_, at) => ({ id: `q${at}`, question: '', options: [], subQuestions: [] }))
const sections: Section[] = [{ name: 'Section2', type: 'ipsative', sectionOptions: [], questions: pairs }]

/** The pairs, answered in one column or by turns. */
function opened(columns: string): Questionnaire {
  const answers = Object.fromEntries(pairs.map(({ id }, at) => [id, { [id]: columns.charAt(at % columns.length) }]))
  return { answers: { snapshot: () => ({ answers }), tookMs: () => new Map() } } as unknown as Questionnaire // all that is read of it
}

const after = <Value>(ms: number, value: Value) => new Promise<Value>((resolve) => setTimeout(() => resolve(value), ms))

beforeEach(() => {
  vi.useFakeTimers()
  loading.panel = async () => ({ AnswerDoubts })
  loading.words = async () => true
})
afterEach(() => vi.useRealTimers())

/** What Submit is told, and after how many ms. */
async function told(questionnaire: Questionnaire) {
  const from = Date.now()
  const found = beforeSubmit(questionnaire, sections).then((noticed) => [noticed?.doubts, Date.now() - from])
  await vi.runAllTimersAsync()
  return found
}

test('without a doubt Submit is not delayed, even if nothing loads', async () => {
  loading.panel = () => new Promise(() => {})
  expect(await told(opened('AB'))).toEqual([undefined, 0])
})

test('once for each opening', async () => {
  const questionnaire = opened('A')
  expect(await told(questionnaire)).toEqual([['same-side'], 0])
  expect(await told(questionnaire)).toEqual([undefined, 0])
  expect(await told(opened('A'))).toEqual([['same-side'], 0])
})

test.each([
  ['the panel', 'panel', { AnswerDoubts }],
  ['its words', 'words', true],
] as const)('%s on a slow line is waited for', async (_, part, value) => {
  loading[part] = () => after(12_000, value as never)
  expect(await told(opened('A'))).toEqual([['same-side'], 12_000])
})

test.each(['panel', 'words'] as const)(
  'if the %s cannot be loaded, Submit continues: at once if that is known, else after 20 s',
  async (part) => {
    loading[part] = () => Promise.reject(new Error('offline'))
    const questionnaire = opened('A')
    expect(await told(questionnaire)).toEqual([undefined, 0])
    loading[part] = () => new Promise(() => {})
    expect(await told(questionnaire)).toEqual([undefined, 20_000])
    // not told yet: the next Submit may do so
    loading[part] = async () => (part === 'panel' ? { AnswerDoubts } : true) as never
    expect(await told(questionnaire)).toEqual([['same-side'], 0])
  },
)

test.each([
  ['panel', undefined],
  ['words', false],
] as const)('nothing is handed in while the page is about to reload for a lost part (%s)', async (part, value) => {
  loading[part] = async () => value as never
  expect(await told(opened('A'))).toEqual([undefined, 20_000])
})
