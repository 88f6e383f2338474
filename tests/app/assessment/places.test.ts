import { expect, test } from 'vitest'
import { placeAfter, placeBefore, placeToStart, screenOf, type Place } from '#app/screens/assessment/questions/places.ts'
import { itemIdsOf, type Section } from '#contract/rules/questionnaire.ts'

const sectionOf = (count: number, statements = 0): Section => ({
  name: `${count}`,
  type: 'ipsative',
  sectionOptions: [],
  questions: Array.from({ length: count }, (_, index) => ({
    id: `${count}-${index}`,
    question: '',
    options: [],
    subQuestions: Array.from({ length: statements }, (__, statement) => ({
      id: `${count}-${index}-${statement}`,
      question: '',
      options: [],
    })),
  })),
})

// as long as the product's own
const own = [sectionOf(12, 4), sectionOf(44), sectionOf(20)]
const long = [sectionOf(107, 4), sectionOf(60), sectionOf(61)]

function walk(sections: Section[], isPhone: boolean): Place[] {
  const places: Place[] = []
  for (let next: Place | undefined = { section: 0, question: 0 }; next; next = placeAfter(sections, next, isPhone)) places.push(next)
  return places
}

test('on a wide screen Next moves from any question to the following section (QUESTIONS-1)', () => {
  expect(walk(own, false)).toEqual([0, 1, 2].map((section) => ({ section, question: 0 })))
  expect(placeAfter(own, { section: 0, question: 7 }, false)).toEqual({ section: 1, question: 0 })
  expect(placeBefore(own, { section: 1, question: 40 }, false)).toEqual({ section: 0, question: 0 })
})

test('on a phone Next moves to the following question, and from the last of a section to the next section (QUESTIONS-3)', () => {
  expect(walk(own, true)).toHaveLength(76)
  expect(placeAfter(own, { section: 0, question: 11 }, true)).toEqual({ section: 1, question: 0 })
  expect(placeBefore(own, { section: 1, question: 0 }, true)).toEqual({ section: 0, question: 11 })
})

test('a section too long for one screen is split into parts, and each question is in exactly one', () => {
  const ranking = [0, 15, 30, 45, 60, 75, 90, 105].map((question) => ({ section: 0, question }))
  const others = [0, 60].map((question) => ({ section: 2, question }))
  expect(walk(long, false)).toEqual([...ranking, { section: 1, question: 0 }, ...others])
  expect(screenOf(sectionOf(107, 4), 106, false)).toEqual({ from: 105, count: 15 })
  expect(screenOf(sectionOf(107, 4), 14, false)).toEqual({ from: 0, count: 15 })
})

test.each([
  ['own', own],
  ['long', long],
])('Back returns to where Next was pressed (%s)', (_, sections) => {
  for (const isPhone of [true, false]) {
    const places = walk(sections, isPhone)
    for (const [index, place] of places.entries()) expect(placeBefore(sections, place, isPhone)).toEqual(places[index - 1])
  }
})

test('the questionnaire opens at the first unanswered question, and with none left at the last (QUESTIONS-15)', () => {
  const questions = own.flatMap((section) => section.questions)
  const answers = Object.fromEntries(
    questions.map((question) => [question.id, Object.fromEntries(itemIdsOf(question).map((id) => [id, 'A']))]),
  )
  expect(placeToStart(own, {})).toEqual({ section: 0, question: 0 })
  expect(placeToStart(own, { ...answers, '44-5': { '44-5': null } })).toEqual({ section: 1, question: 5 })
  expect(placeToStart(own, answers)).toEqual({ section: 2, question: 19 })
})

test('a section of an unknown type is one screen of its own', () => {
  const essay = { ...sectionOf(20), type: 'essay' }
  const sections = [sectionOf(1), essay, sectionOf(2)]
  expect(walk(sections, true)).toEqual([
    { section: 0, question: 0 },
    { section: 1, question: 0 },
    { section: 2, question: 0 },
    { section: 2, question: 1 },
  ])
  expect(placeBefore(sections, { section: 2, question: 0 }, true)).toEqual({ section: 1, question: 0 })
  expect(placeToStart([essay], {})).toEqual({ section: 0, question: 0 })
})
