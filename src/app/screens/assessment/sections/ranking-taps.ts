import type { Translation } from '#app/i18n/use-translation.ts'
import { announce } from '#app/ui/feedback/announcer.ts'
import { isAnswered, rateAndFill, type GroupValue, type Question, type SubQuestion } from '#contract/rules/questionnaire.ts'
import type { ScreenAnswers } from '#app/questionnaire/answers.ts'
import type { AnsweredQuestion } from './question-props.ts'
import { bringIntoView, highlight } from './show-change.ts'

/** What a rating of a ranking group does, in React's questions and in those that the page shows before React (docs/decisions/0064). */

/** Id of the text on how to rank. It is above the first group of a screen and describes all of them. */
export const RANKING_HELP_ID = 'ranking-help'

/** `tap`: a pointer, and the browser has drawn the radio already. `click`: one without a pointer, as of a screen reader, or Space. */
export type ChosenBy = 'tap' | 'click' | 'key'

/** `detail` is 0 for a click that no pointer made. */
export const chosenBy = ({ detail }: Pick<MouseEvent, 'detail'>): ChosenBy => (detail > 0 ? 'tap' : 'click')

/** Numbers that filled themselves in and were confirmed in this page, as edit and statement. */
const confirmed = new Set<string>()

/** The statements whose number was given without a tap on it: the first tap on that number confirms it. */
export function filledIn(answers: ScreenAnswers, question: Question): string[] {
  const { edit, filled = [] } = answers.ownRow(question) ?? {}
  return filled.filter((id) => !confirmed.has(`${edit} ${id}`))
}

export function chooseRating(
  { section, question, answers }: AnsweredQuestion,
  t: Translation['t'],
  statement: SubQuestion,
  rating: string,
  by: ChosenBy,
): void {
  const before = answers.group(question)
  const filled = filledIn(answers, question)
  if (by !== 'key' && filled.includes(statement.id) && before[statement.id] === rating) {
    confirmed.add(`${answers.ownRow(question)?.edit} ${statement.id}`)
    return
  }
  const now = rateAndFill(before, statement.id, rating)
  const other = question.subQuestions.find(({ id }) => id !== statement.id && now[id] !== before[id])
  if (other) {
    announce(describeOtherChange(t, rating, other, now, before))
    const row = document.getElementById(`${other.id}-text`)?.parentElement
    highlight(row)
    if (isAnswered(now[other.id]) && before[other.id] !== rating) bringIntoView(row)
  }
  const isStillFilled = (id: string) => id !== statement.id && now[id] === before[id]
  const filledNow = [...filled.filter(isStillFilled), ...(other && isAnswered(now[other.id]) ? [other.id] : [])]
  // after a key, or a change to a second statement, it must render: the next Tab must skip a rating just taken
  const isDrawn = by === 'tap' && !other && now[statement.id] === rating
  void answers.answer(question, section.name, now, { isShown: isDrawn, filled: filledNow })
}

/** Moves a rating here from another statement. Its radio here is disabled and gets no click, so the tap is handled on its cell. */
export function onTakenRatingTap(event: Pick<MouseEvent, 'target' | 'preventDefault'>, choose: (rating: string) => void): void {
  const radio = event.target instanceof HTMLLabelElement ? event.target.control : null
  // the assessment has ended elsewhere: nothing can be changed any more
  if (!(radio instanceof HTMLInputElement) || !radio.disabled || radio.closest('fieldset:disabled')) return
  // the radio is enabled by then, and the label would click it again
  event.preventDefault()
  choose(radio.value)
}

/** The announcement for another statement that changed too; a screen reader reads the tapped rating from its radio. */
function describeOtherChange(t: Translation['t'], rating: string, other: SubQuestion, now: GroupValue, before: GroupValue): string {
  const values = { rating, statement: other.question, other: now[other.id] }
  if (before[other.id] !== rating) return t('TestRatingFilled', values)
  return t(isAnswered(now[other.id]) ? 'TestRatingSwapped' : 'TestRatingMoved', values)
}
