import { useTranslation, type Translation } from '#app/i18n/use-translation.ts'
import { memo, useCallback } from 'react'
import type { KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import type { ScreenAnswers } from '#app/offline/answers.ts'
import { announce } from '#app/ui/announcer.ts'
import { holderOf, rate, type Option, type Question, type Section, type SubQuestion } from '#contract/rules/questionnaire.ts'
import { useChosen, useGroup } from './use-answers.ts'

interface LikertScaleProps {
  section: Section
  question: Question
  answers: ScreenAnswers
}

/**
 * A ranking group: four statements, each with a distinct rating, 4 is most like you. §5, ruling 18
 * A grid of 7 columns, 3 of them for the text; on a phone the ratings stand below their statement.
 */
export function LikertScale({ section, question, answers }: LikertScaleProps) {
  const { t } = useTranslation('assessment')
  const group = useGroup(answers, question)
  const fieldset = useChosen(group)

  const choose = useCallback(
    (statement: SubQuestion, rating: string, isTap: boolean) => {
      const now = answers.group(question)
      const displaced = holderOf(now, rating, statement.id)
      const loser = question.subQuestions.find((one) => one.id === displaced)
      if (loser) announce(t('TestRatingMoved', { rating, statement: loser.question }))
      const isCleared = now[statement.id] === rating
      // by keys one may go on at once, and must not land on what this has used up
      void answers.answer(question, section.name, rate(now, statement.id, rating), isTap && !isCleared)
    },
    [answers, question, section.name, t],
  )

  return (
    <fieldset ref={fieldset} className="question ranking">
      <legend>{question.question}</legend>
      <div className="ranking-head" aria-hidden="true">
        {section.sectionOptions.map((option) => (
          <span key={option.value}>{option.label}</span>
        ))}
      </div>
      <div className="ranking-ends" aria-hidden="true">
        {[section.sectionOptions[0], section.sectionOptions.at(-1)].map(
          (option) => option && <span key={option.value}>{t('TestRating', { rating: option.value, label: option.label })}</span>,
        )}
      </div>
      {question.subQuestions.map((statement) => (
        <div
          key={statement.id}
          className="statement"
          role="radiogroup"
          aria-labelledby={`${statement.id}-text`}
          onKeyDown={(event) => onDigit(event, answers.group(question)[statement.id] ?? null, (rating) => choose(statement, rating, false))}
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

interface RatingProps {
  statement: SubQuestion
  option: Option
  /** the statement of the group that has this rating already */
  takenBy: string | undefined
  onChoose: (statement: SubQuestion, rating: string, isTap: boolean) => void
  /** the question's: sixteen of these need not each listen for another language */
  t: Translation['t']
}

/** One rating of one statement: of the sixteen, a tap paints those that change. */
const Rating = memo(function Rating({ statement, option, takenBy, onChoose, t }: RatingProps) {
  const words = { rating: option.value, label: option.label }
  return (
    <label className="rating">
      <input
        type="radio"
        name={statement.id}
        value={option.value}
        disabled={takenBy !== undefined}
        aria-label={takenBy === undefined ? t('TestRating', words) : t('TestRatingTaken', { ...words, statement: takenBy })}
        // a second click on the selected value clears it, which a radio does not report as a change; a key's click has no count
        onClick={(event) => onChoose(statement, option.value, event.detail > 0)}
      />
      <span aria-hidden="true">{option.value}</span>
    </label>
  )
})

/** 1–4 rate the focused statement, Delete and Backspace clear it: for the keyboard a taken value moves. Ruling 18 */
function onDigit(event: KeyboardEvent<HTMLElement>, current: string | null, choose: (rating: string) => void): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const isClear = event.key === 'Delete' || event.key === 'Backspace'
  if (!isClear && !/^[1-4]$/.test(event.key)) return
  event.preventDefault()
  if (isClear && current !== null) choose(current)
  if (isClear || event.key === current) return
  // painted at once: until then a taken value is disabled and cannot take the focus
  flushSync(() => choose(event.key))
  // else the next Tab would lead to the chosen radio instead of the next statement
  event.currentTarget.querySelector<HTMLInputElement>(`input[value="${event.key}"]`)?.focus()
}
