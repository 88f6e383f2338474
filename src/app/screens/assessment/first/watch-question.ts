import type { Translation } from '#app/i18n/use-translation.ts'
import { onRatingKey } from '#app/screens/assessment/sections/likert-keys.ts'
import type { AnsweredQuestion, QuestionProps } from '#app/screens/assessment/sections/question-props.ts'
import { chooseRating, chosenBy, onTakenRatingTap, type ChosenBy } from '#app/screens/assessment/sections/ranking-taps.ts'
import { noTaps, noteTouch, onChoiceClick, onChoiceKey } from '#app/screens/assessment/sections/single-choice-taps.ts'
import { sectionTypeOf } from '#contract/rules/questionnaire.ts'
import { ratingOf } from './screen-markup.ts'

/** Draws a question's answers in `root` as they change, and takes its taps and keys. Returns a function that stops the drawing. */
export function watchQuestion(root: HTMLElement, props: QuestionProps, t: Translation['t']): () => void {
  const { section, question, answers } = props
  const [first] = question.subQuestions
  const fieldset = root.querySelector(`input[name="${CSS.escape(first?.id ?? question.id)}"]`)?.closest('fieldset')
  if (!fieldset) return () => {}
  const draw = () => drawAnswers(fieldset, props, t)
  draw()
  if (sectionTypeOf(section) === 'likertscale') takeRatings(fieldset, props, t)
  else takeChoices(fieldset, props)
  return answers.listeners.subscribeGroup(question.id, draw)
}

const radiosIn = (element: Element) => element.querySelectorAll<HTMLInputElement>('input[type=radio]')

function drawAnswers(fieldset: HTMLFieldSetElement, { section, question, answers }: AnsweredQuestion, t: Translation['t']): void {
  const group = answers.group(question)
  for (const radio of radiosIn(fieldset)) {
    radio.checked = group[radio.name] === radio.value
    const statement = question.subQuestions.find(({ id }) => id === radio.name)
    const option = section.sectionOptions.find(({ value }) => value === radio.value)
    if (!statement || !option) continue
    const { takenBy, label } = ratingOf(t, question, group, statement, option)
    radio.disabled = takenBy !== undefined
    radio.setAttribute('aria-label', label)
  }
}

function takeChoices(fieldset: HTMLFieldSetElement, props: QuestionProps): void {
  const taps = noTaps()
  fieldset.addEventListener('pointerdown', (event) => noteTouch(taps, event))
  fieldset.addEventListener('keydown', (event) => onChoiceKey(props, event))
  for (const radio of radiosIn(fieldset)) radio.addEventListener('click', (event) => onChoiceClick(taps, props, event, radio.value))
}

function takeRatings(fieldset: HTMLFieldSetElement, props: AnsweredQuestion, t: Translation['t']): void {
  const { question, answers } = props
  for (const statement of question.subQuestions) {
    const row = fieldset.querySelector(`[id="${CSS.escape(statement.id)}-text"]`)?.parentElement
    if (!row) continue
    const choose = (rating: string, by: ChosenBy) => chooseRating(props, t, statement, rating, by)
    row.addEventListener('click', (event) => onTakenRatingTap(event, (rating) => choose(rating, 'tap')))
    row.addEventListener('keydown', (event) => onRatingKey(event, statement, answers.group(question), choose, row))
    for (const radio of radiosIn(row)) radio.addEventListener('click', (event) => choose(radio.value, chosenBy(event)))
  }
}
