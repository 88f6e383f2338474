import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  completionStatusOf,
  countAnswered,
  countItems,
  countRemaining,
  firstUnanswered,
  groupProblem,
  statementRated,
  rate,
  rateAndFill,
  RATINGS,
  sectionTypeOf,
  type Answers,
  type GroupValue,
  type Section,
} from '#contract/rules/questionnaire.ts'

/** The answering rules. QUESTIONS-5 to QUESTIONS-13, ANSWERS-2 */

const options = RATINGS.map((value) => ({ value, label: value }))
const ranking: Section = {
  name: 'Section1',
  type: 'LikertScale',
  sectionOptions: options,
  questions: ['q1', 'q2'].map((id) => ({
    id,
    question: id,
    options: [],
    subQuestions: ['a', 'b', 'c', 'd'].map((s) => ({ id: `${id}-${s}`, question: s, options })),
  })),
}
const pairs: Section = {
  name: 'Section2',
  type: 'ipsative',
  sectionOptions: [],
  questions: [
    {
      id: 'p1',
      question: 'p1',
      options: [
        { value: 'A', label: 'A' },
        { value: 'B', label: 'B' },
      ],
      subQuestions: [],
    },
  ],
}
const sections = [ranking, pairs]
const empty: GroupValue = { a: null, b: null, c: null, d: null }

describe('a ranking group', () => {
  it('gives a statement its rating', () => {
    expect(rate(empty, 'a', '4')).toEqual({ ...empty, a: '4' })
  })

  it('picking a used value clears the earlier one', () => {
    expect(rate({ ...empty, a: '4' }, 'b', '4')).toEqual({ ...empty, b: '4' })
  })

  it('clicking the selected value clears it', () => {
    expect(rate({ ...empty, a: '4', b: '1' }, 'a', '4')).toEqual({ ...empty, b: '1' })
  })

  it('knows who holds a rating, other than the one that asks', () => {
    expect(statementRated({ ...empty, a: '4' }, '4', 'b')).toBe('a')
    expect(statementRated({ ...empty, a: '4' }, '4', 'a')).toBeUndefined()
  })

  it('the last statement gets the last rating by itself', () => {
    expect(rateAndFill({ ...empty, a: '4', b: '2' }, 'c', '1')).toEqual({ a: '4', b: '2', c: '1', d: '3' })
    expect(rateAndFill({ ...empty, a: '4' }, 'b', '2')).toEqual({ ...empty, a: '4', b: '2' })
  })

  it('where all are given, two statements trade places', () => {
    expect(rateAndFill({ a: '4', b: '3', c: '2', d: '1' }, 'd', '4')).toEqual({ a: '1', b: '3', c: '2', d: '4' })
  })

  it('a rating that is cleared is not filled in again by the same tap', () => {
    const full = { a: '4', b: '3', c: '2', d: '1' }
    expect(rateAndFill(full, 'd', '1')).toEqual({ ...full, d: null })
    expect(rateAndFill({ ...full, d: null }, 'c', '2')).toEqual({ ...full, c: null, d: null })
  })

  it('never has a single unrated statement after a rating, and no rating twice, whatever is tapped', () => {
    const taps = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom(...RATINGS)), { maxLength: 60 })
    fc.assert(
      fc.property(taps, (list) => {
        let group = empty
        for (const [statement, rating] of list) {
          const isCleared = group[statement] === rating
          group = rateAndFill(group, statement, rating)
          const given = Object.values(group).filter((value) => value !== null)
          expect(new Set(given).size).toBe(given.length)
          expect(group[statement]).toBe(isCleared ? null : rating)
          if (!isCleared) expect(given).not.toHaveLength(3)
        }
      }),
    )
  })

  it('never holds a rating twice and never forgets a statement, whatever is tapped', () => {
    const taps = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom(...RATINGS)), { maxLength: 60 })
    fc.assert(
      fc.property(taps, (list) => {
        let group = empty
        for (const [statement, rating] of list) {
          const before = group
          group = rate(group, statement, rating)
          expect(Object.keys(group)).toEqual(['a', 'b', 'c', 'd'])
          const given = Object.values(group).filter((value) => value !== null)
          expect(new Set(given).size).toBe(given.length)
          expect(group[statement]).toBe(before[statement] === rating ? null : rating)
        }
      }),
    )
  })
})

describe('counting', () => {
  it('a question with sub-questions counts each of them', () => {
    expect(countItems(sections)).toBe(9)
  })

  it('remaining is total minus answered; empty and blank answers are ignored', () => {
    const answers: Answers = { q1: { 'q1-a': '1', 'q1-b': '', 'q1-c': '  ', 'q1-d': null }, p1: { p1: 'A' } }
    expect(countAnswered(sections, answers)).toBe(2)
    expect(countRemaining(sections, answers)).toBe(7)
    expect(completionStatusOf(sections, (id) => answers[id])).toBe('IN_PROGRESS')
  })

  it('a section of a type that is not implemented counts for nothing and is never where to open', () => {
    const essay: Section = { ...ranking, name: 'Essay', type: 'essay' }
    const withEssay = [essay, pairs]
    expect(countItems(withEssay)).toBe(1)
    expect(countAnswered(withEssay, { q1: { 'q1-a': 'words' } })).toBe(0)
    expect(firstUnanswered(withEssay, {})).toEqual({ section: 1, question: 0 })
    expect(completionStatusOf(withEssay, (id) => (id === 'p1' ? { p1: 'A' } : undefined))).toBe('COMPLETED')
  })

  it('opens at the first question with something unanswered', () => {
    const q1 = { 'q1-a': '1', 'q1-b': '2', 'q1-c': '3', 'q1-d': '4' }
    expect(firstUnanswered(sections, {})).toEqual({ section: 0, question: 0 })
    expect(firstUnanswered(sections, { q1 })).toEqual({ section: 0, question: 1 })
    const all: Answers = { q1, q2: { 'q2-a': '1', 'q2-b': '2', 'q2-c': '3', 'q2-d': '4' }, p1: { p1: 'B' } }
    expect(firstUnanswered(sections, all)).toBeUndefined()
    expect(completionStatusOf(sections, (id) => all[id])).toBe('COMPLETED')
  })
})

describe('what can be stored', () => {
  const [question] = ranking.questions
  const [pair] = pairs.questions
  if (!question || !pair) throw new Error('the fixture has both')

  it.each([
    [{ 'q1-a': '5' }, 'INVALID_ANSWER'],
    [{ 'q1-a': '1e0' }, 'INVALID_ANSWER'],
    [{ 'q1-a': '1', 'q1-b': '1' }, 'DUPLICATE_RATING'],
    [{ 'q2-a': '1' }, 'UNKNOWN_QUESTION'],
    [{ 'q1-a': '1', 'q1-b': null }, undefined],
  ] as [GroupValue, string | undefined][])('%j: %s', (group, problem) => {
    expect(groupProblem(ranking, question, group)).toBe(problem)
  })

  it('a pair takes its own options only', () => {
    expect(groupProblem(pairs, pair, { p1: 'B' })).toBeUndefined()
    expect(groupProblem(pairs, pair, { p1: 'C' })).toBe('INVALID_ANSWER')
  })
})

it('section types are read whatever their case; another is not implemented', () => {
  expect(sectionTypeOf(ranking)).toBe('likertscale')
  expect(sectionTypeOf({ ...ranking, type: 'essay' })).toBeUndefined()
})
