import type { CompletionStatus } from './statuses.ts'

/**
 * The rules of answering (QUESTIONS-4 to QUESTIONS-13, ANSWERS-2), used by the screens and the server.
 * A *group* is one question with all its sub-questions: the unit of saving and merging.
 */

export interface Option {
  value: string
  label: string
}
/** One statement of a ranking question: its `options` are the four ratings. QUESTIONS-4 */
export interface SubQuestion {
  id: string
  question: string
  options: Option[]
}
export interface Question {
  id: string
  question: string
  options: Option[]
  subQuestions: SubQuestion[]
}
const SECTION_TYPES = ['likertscale', 'ipsative', 'likertitem'] as const
export type SectionType = (typeof SECTION_TYPES)[number]
export interface Section {
  name: string
  type: string
  sectionOptions: Option[]
  questions: Question[]
}

/** The answers of a group by item id; the items are the sub-questions of a ranking, else the question itself. null: not answered. */
export type GroupValue = Record<string, string | null>
/** The answers of an instance by question id. A group that was never answered is missing. */
export type Answers = Record<string, GroupValue>

/** The ratings of a ranking group, each used once; 4 is "most like you". QUESTIONS-5 */
export const RATINGS = ['1', '2', '3', '4'] as const
export const AGREEMENTS = ['1', '2', '3', '4', '5'] as const

/** The type of a section, in whatever case; undefined if it is not implemented. QUESTIONS-4 */
export function sectionTypeOf(section: Section): SectionType | undefined {
  return SECTION_TYPES.find((type) => type === section.type.toLowerCase())
}

/** The sections that can be answered. One of a type that is not implemented is shown as such, and does not count for completion. */
function answerable(sections: readonly Section[]): readonly Section[] {
  return sections.filter((section) => sectionTypeOf(section) !== undefined)
}

/** The items of a question: each of its sub-questions, or the question itself if it has none. QUESTIONS-13 */
export function itemIdsOf(question: Question): string[] {
  return question.subQuestions.length > 0 ? question.subQuestions.map((sub) => sub.id) : [question.id]
}

/** Blank counts as not answered. QUESTIONS-13: "Empty or blank answers are ignored" */
export function isAnswered(value: string | null | undefined): boolean {
  return value !== null && value !== undefined && value.trim() !== ''
}

/**
 * The group after a tap on a rating: the rating moves from the statement that had it; a second tap on the same one clears it.
 * QUESTIONS-6, QUESTIONS-7
 * @param group answers of one ranking group
 */
export function rate(group: GroupValue, statement: string, rating: string): GroupValue {
  if (group[statement] === rating) return { ...group, [statement]: null }
  const next: GroupValue = {}
  for (const [id, value] of Object.entries(group)) next[id] = value === rating ? null : value
  next[statement] = rating
  return next
}

/**
 * The same, and if one statement and one rating are left after a rating was given, they are combined. After a rating was cleared
 * nothing is filled in, since it would restore what the player has just removed. docs/decisions/0036
 */
export function rateAndFill(group: GroupValue, statement: string, rating: string): GroupValue {
  const next = rate(group, statement, rating)
  const open = Object.keys(next).filter((id) => !isAnswered(next[id]))
  const free = RATINGS.filter((one) => !Object.values(next).includes(one))
  const [last] = open
  const [left] = free
  if (!isAnswered(next[statement]) || open.length !== 1 || free.length !== 1 || !last || !left) return next
  return { ...next, [last]: left }
}

/** The statement other than `statement` that already has a rating. QUESTIONS-6: "used values are disabled" */
export function statementRated(group: GroupValue, rating: string, statement: string): string | undefined {
  return Object.keys(group).find((id) => id !== statement && group[id] === rating)
}

export function emptyGroup(question: Question): GroupValue {
  const group: GroupValue = {}
  for (const id of itemIdsOf(question)) group[id] = null
  return group
}

/** The group of a question with all its items; those without a stored answer are null. */
export function groupOf(question: Question, answers: Answers): GroupValue {
  return { ...emptyGroup(question), ...answers[question.id] }
}

export function countItems(sections: readonly Section[]): number {
  return answerable(sections).reduce((sum, section) => sum + section.questions.reduce((n, q) => n + itemIdsOf(q).length, 0), 0)
}

export function countAnswered(sections: readonly Section[], answers: Answers): number {
  let count = 0
  for (const section of answerable(sections))
    for (const question of section.questions) {
      const group = answers[question.id]
      if (!group) continue
      for (const id of itemIdsOf(question)) if (isAnswered(group[id])) count += 1
    }
  return count
}

/** Items without an answer. QUESTIONS-13 */
export function countRemaining(sections: readonly Section[], answers: Answers): number {
  return countItems(sections) - countAnswered(sections, answers)
}

export function isGroupAnswered(question: Question, answers: Answers): boolean {
  return isWhole(question, answers[question.id])
}

function isWhole(question: Question, group: GroupValue | undefined): boolean {
  if (group === undefined) return false
  return question.subQuestions.length === 0
    ? isAnswered(group[question.id])
    : question.subQuestions.every(({ id }) => isAnswered(group[id]))
}

/** Questions, not items, that are not fully answered. */
export function countOpen(sections: readonly Section[], answers: Answers): number {
  const questions = answerable(sections).flatMap((section) => section.questions)
  return questions.filter((question) => !isGroupAnswered(question, answers)).length
}

/** Indexes of the first question with an unanswered item; undefined if all are answered. */
export function firstUnanswered(sections: readonly Section[], answers: Answers): { section: number; question: number } | undefined {
  for (const [at, section] of sections.entries()) {
    if (sectionTypeOf(section) === undefined) continue
    const question = section.questions.findIndex((one) => !isGroupAnswered(one, answers))
    if (question !== -1) return { section: at, question }
  }
  return undefined
}

/** COMPLETED if every item has an answer. QUESTIONS-17 */
export function completionStatusOf(
  sections: readonly Section[],
  groupOfQuestion: (questionId: string) => GroupValue | undefined,
): CompletionStatus {
  const isDone = answerable(sections).every(({ questions }) => questions.every((one) => isWhole(one, groupOfQuestion(one.id))))
  return isDone ? 'COMPLETED' : 'IN_PROGRESS'
}

/** Why a group's value cannot be stored; undefined if it can. INPUT-41, INPUT-42 */
export function groupProblem(
  section: Section,
  question: Question,
  group: GroupValue,
): 'INVALID_ANSWER' | 'DUPLICATE_RATING' | 'UNKNOWN_QUESTION' | undefined {
  const items = itemIdsOf(question)
  const allowed = allowedValues(section, question)
  const seen: string[] = []
  for (const [id, value] of Object.entries(group)) {
    if (!items.includes(id)) return 'UNKNOWN_QUESTION'
    if (value === null) continue
    if (!allowed.includes(value)) return 'INVALID_ANSWER'
    if (question.subQuestions.length > 0 && seen.includes(value)) return 'DUPLICATE_RATING'
    seen.push(value)
  }
  return undefined
}

function allowedValues(section: Section, question: Question): readonly string[] {
  switch (sectionTypeOf(section)) {
    case 'likertscale':
      return RATINGS
    case 'likertitem':
      return AGREEMENTS
    case 'ipsative':
    case undefined:
      return question.options.map((option) => option.value)
  }
}
