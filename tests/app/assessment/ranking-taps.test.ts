import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Translation } from '#app/i18n/use-translation.ts'
import type { ScreenAnswers } from '#app/questionnaire/answers.ts'
import { chooseRating, type ChosenBy } from '#app/screens/assessment/sections/ranking-taps.ts'
import type { GroupValue, Question, Section } from '#contract/rules/questionnaire.ts'

/** The last free number of a ranking fills itself in, and the first tap on it confirms it. QUESTIONS-8 */

vi.mock('#app/ui/feedback/announcer.ts', () => ({ announce: () => undefined }))
vi.mock('#app/screens/assessment/sections/show-change.ts', () => ({ bringIntoView: () => undefined, highlight: () => undefined }))

const statements = ['a', 'b', 'c', 'd'].map((id) => ({ id, question: id, options: [] }))
const question = { id: 'q1', question: 'q1', subQuestions: statements } as unknown as Question
const section = { name: 'Section1' } as Section
const t: Translation['t'] = () => ''

/** A group of four statements as somebody taps on it. */
function ranking() {
  let group: GroupValue = { a: null, b: null, c: null, d: null }
  let row: { edit: string; filled: readonly string[] } | undefined
  const answers = {
    group: () => group,
    ownRow: () => row,
    answer: async (_question: Question, _section: string, now: GroupValue, { filled }: { filled: readonly string[] }) => {
      group = now
      row = { edit: crypto.randomUUID(), filled }
    },
  } as unknown as ScreenAnswers // only what a tap needs
  const choose = (id: string, rating: string, by: ChosenBy) => {
    const statement = statements.find((one) => one.id === id)
    if (statement) chooseRating({ section, question, answers }, t, statement, rating, by)
  }
  return {
    tap: (id: string, rating: string) => choose(id, rating, 'tap'),
    click: (id: string, rating: string) => choose(id, rating, 'click'),
    press: (id: string, rating: string) => choose(id, rating, 'key'),
    comes: (value: GroupValue) => {
      group = value
      row = undefined
    },
    now: () => group,
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', { getElementById: () => null })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const full = { a: '4', b: '3', c: '2', d: '1' }

function threeGiven() {
  const group = ranking()
  group.tap('a', '4')
  group.tap('b', '3')
  group.tap('c', '2')
  expect(group.now()).toEqual(full)
  return group
}

test('however long somebody looks for the last number, their first tap on it confirms it, and their second takes it back', () => {
  const group = threeGiven()
  vi.advanceTimersByTime(60_000)
  group.tap('d', '1')
  expect(group.now()).toEqual(full)
  group.tap('d', '1')
  expect(group.now()).toEqual({ ...full, d: null })
})

test('the same holds for a statement that changed places with another', () => {
  const group = threeGiven()
  group.tap('d', '4')
  group.tap('a', '1')
  expect(group.now()).toEqual({ ...full, a: '1', d: '4' })
  group.tap('d', '4')
  expect(group.now()).toEqual({ ...full, a: '1', d: null })
})

test('a key clears it at once, and a number then given by a tap is cleared by the next', () => {
  const group = threeGiven()
  group.press('d', '1')
  expect(group.now()).toEqual({ ...full, d: null })
  group.tap('d', '1')
  group.tap('d', '1')
  expect(group.now()).toEqual({ ...full, d: null })
})

test('it is still confirmed after two others have changed places', () => {
  const group = threeGiven()
  group.tap('a', '3')
  expect(group.now()).toEqual({ ...full, a: '3', b: '4' })
  group.tap('d', '1')
  group.tap('b', '4')
  expect(group.now()).toEqual({ ...full, a: '3', b: '4' })
  group.tap('d', '1')
  expect(group.now()).toEqual({ ...full, a: '3', b: '4', d: null })
})

test('a number given since by another tab or device is cleared by the first tap on it', () => {
  const group = threeGiven()
  group.comes({ a: '4', b: '3', c: '1', d: '2' })
  group.tap('d', '2')
  expect(group.now()).toEqual({ a: '4', b: '3', c: '1', d: null })
})

test('a click without a pointer, by a screen reader or Space, confirms it too', () => {
  const group = threeGiven()
  group.click('d', '1')
  expect(group.now()).toEqual(full)
  group.click('d', '1')
  expect(group.now()).toEqual({ ...full, d: null })
})
