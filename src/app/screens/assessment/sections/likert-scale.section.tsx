import { useCallback, useRef } from 'react'
import type { MouseEvent } from 'react'
import { FILLED_CONFIRMS_MS } from '#app/constants.ts'
import { useTranslation, type Translation } from '#app/i18n/use-translation.ts'
import { announce } from '#app/ui/feedback/announcer.ts'
import { holderOf, isAnswered, rateAndFill, type GroupValue, type SubQuestion } from '#contract/rules/questionnaire.ts'
import { bringIntoView, highlight } from './show-change.ts'
import { onRatingKey } from './likert-keys.ts'
import { Rating } from './likert-rating.tsx'
import type { QuestionProps } from './question-props.ts'
import { useChosen, useGroup } from '#app/questionnaire/use-questionnaire.ts'

/** Id of the text on how to rank. It is above the first group of a screen and describes all of them. */
export const RANKING_HELP_ID = 'ranking-help'

/**
 * A ranking group: four statements, each with a distinct rating, 4 is most like you. QUESTIONS-5 to QUESTIONS-8
 * A grid of 7 columns, 3 of them for the text; on a phone the ratings are below their statement.
 */
export function LikertScale({ section, question, answers }: QuestionProps) {
  const { t } = useTranslation('assessment')
  const group = useGroup(answers, question)
  const fieldset = useChosen(group)
  // the statement whose rating was filled in automatically last; until then a tap on that rating only confirms it
  const filled = useRef({ id: '', until: 0 })

  const choose = useCallback(
    (statement: SubQuestion, rating: string, isTap: boolean) => {
      const before = answers.group(question)
      if (isTap && before[statement.id] === rating && isJustFilled(filled.current, statement.id)) return
      const now = rateAndFill(before, statement.id, rating)
      const other = question.subQuestions.find(({ id }) => id !== statement.id && now[id] !== before[id])
      if (other) {
        announce(describeOtherChange(t, rating, other, now, before))
        const row = document.getElementById(`${other.id}-text`)?.parentElement
        highlight(row)
        const isFilled = isAnswered(now[other.id]) && before[other.id] !== rating
        if (isFilled) bringIntoView(row)
        if (isAnswered(now[other.id])) filled.current = { id: other.id, until: performance.now() + FILLED_CONFIRMS_MS }
      }
      // after a key, or a change to a second statement, it must render: the next Tab must skip a rating just taken
      const isDrawn = isTap && !other && now[statement.id] === rating
      void answers.answer(question, section.name, now, isDrawn)
    },
    [answers, question, section.name, t],
  )

  return (
    <fieldset ref={fieldset} tabIndex={-1} className="question ranking" aria-describedby={RANKING_HELP_ID}>
      <legend>{question.question}</legend>
      <div className="ranking-head" aria-hidden="true">
        {section.sectionOptions.map((option) => (
          <span key={option.value}>{option.label}</span>
        ))}
      </div>
      {question.subQuestions.map((statement) => (
        <div
          key={statement.id}
          className="statement"
          role="radiogroup"
          aria-labelledby={`${statement.id}-text`}
          aria-keyshortcuts="1 2 3 4 Delete"
          onClick={(event) => onTakenRatingTap(event, (rating) => choose(statement, rating, true))}
          onKeyDown={(event) => onRatingKey(event, statement, answers.group(question), (rating) => choose(statement, rating, false))}
        >
          <span id={`${statement.id}-text`} className="statement-text">
            {statement.question}
          </span>
          {section.sectionOptions.map((option) => {
            const holder = holderOf(group, option.value, statement.id)
            return (
              <Rating
                key={option.value}
                statement={statement}
                option={option}
                takenBy={question.subQuestions.find((one) => one.id === holder)?.question}
                onChoose={choose}
                t={t}
              />
            )
          })}
        </div>
      ))}
    </fieldset>
  )
}

/** Moves a rating here from another statement. Its radio here is disabled and gets no click, so the tap is handled on its cell. */
function onTakenRatingTap(event: MouseEvent, choose: (rating: string) => void): void {
  const radio = event.target instanceof HTMLLabelElement ? event.target.control : null
  // the assessment has ended elsewhere: nothing can be changed any more
  if (!(radio instanceof HTMLInputElement) || !radio.disabled || radio.closest('fieldset:disabled')) return
  // the radio is enabled by then, and the label would click it again
  event.preventDefault()
  choose(radio.value)
}

function isJustFilled(filled: { id: string; until: number }, statement: string): boolean {
  return filled.id === statement && performance.now() < filled.until
}

/** The announcement for another statement that changed too; a screen reader reads the tapped rating from its radio. */
function describeOtherChange(t: Translation['t'], rating: string, other: SubQuestion, now: GroupValue, before: GroupValue): string {
  const values = { rating, statement: other.question, other: now[other.id] }
  if (before[other.id] !== rating) return t('TestRatingFilled', values)
  return t(isAnswered(now[other.id]) ? 'TestRatingSwapped' : 'TestRatingMoved', values)
}
