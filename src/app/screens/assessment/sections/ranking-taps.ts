import type { Translation } from '#app/i18n/use-translation.ts'
import { announce } from '#app/ui/feedback/announcer.ts'
import { isAnswered, rateAndFill, type GroupValue, type SubQuestion } from '#contract/rules/questionnaire.ts'
import type { ScreenAnswers } from '#app/questionnaire/answers.ts'
import type { AnsweredQuestion } from './question-props.ts'
import { bringIntoView, highlight } from './show-change.ts'

/** What a rating of a ranking group does, in React's questions and in those that the page shows before React (docs/decisions/0064). */

/** Id of the text on how to rank. It is above the first group of a screen and describes all of them. */
export const RANKING_HELP_ID = 'ranking-help'

/** By question, the statement whose rating was given without a tap on it: the first tap on that rating confirms it. */
const filledIn = new WeakMap<ScreenAnswers, Map<string, string>>()

function filledOf(answers: ScreenAnswers): Map<string, string> {
  const known = filledIn.get(answers) ?? new Map<string, string>()
  filledIn.set(answers, known)
  return known
}

/** @param isTap the browser has drawn the radio already */
export function chooseRating(
  { section, question, answers }: AnsweredQuestion,
  t: Translation['t'],
  statement: SubQuestion,
  rating: string,
  isTap: boolean,
): void {
  const before = answers.group(question)
  const filled = filledOf(answers)
  const isFilled = filled.get(question.id) === statement.id
  if (isFilled) filled.delete(question.id)
  if (isFilled && isTap && before[statement.id] === rating) return
  const now = rateAndFill(before, statement.id, rating)
  const other = question.subQuestions.find(({ id }) => id !== statement.id && now[id] !== before[id])
  if (other) {
    announce(describeOtherChange(t, rating, other, now, before))
    const row = document.getElementById(`${other.id}-text`)?.parentElement
    highlight(row)
    if (isAnswered(now[other.id]) && before[other.id] !== rating) bringIntoView(row)
    if (isAnswered(now[other.id])) filled.set(question.id, other.id)
  }
  // after a key, or a change to a second statement, it must render: the next Tab must skip a rating just taken
  const isDrawn = isTap && !other && now[statement.id] === rating
  void answers.answer(question, section.name, now, isDrawn)
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
