import { useCallback } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { statementRated, type SubQuestion } from '#contract/rules/questionnaire.ts'
import { onRatingKey } from './likert-keys.ts'
import { Rating } from './likert-rating.tsx'
import type { QuestionProps } from './question-props.ts'
import { chooseRating, onTakenRatingTap, RANKING_HELP_ID, type ChosenBy } from './ranking-taps.ts'
import { useChosen, useGroup } from '#app/questionnaire/use-questionnaire.ts'

/**
 * A ranking group: four statements, each with a distinct rating, 4 is most like you. QUESTIONS-5 to QUESTIONS-8
 * A grid of 7 columns, 3 of them for the text; on a phone the ratings are below their statement.
 */
export function LikertScale({ section, question, answers }: QuestionProps) {
  const { t } = useTranslation('assessment')
  const group = useGroup(answers, question)
  const fieldset = useChosen(group)

  const choose = useCallback(
    (statement: SubQuestion, rating: string, by: ChosenBy) => chooseRating({ section, question, answers }, t, statement, rating, by),
    [answers, question, section, t],
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
          onClick={(event) => onTakenRatingTap(event, (rating) => choose(statement, rating, 'tap'))}
          onKeyDown={(event) =>
            onRatingKey(
              event,
              statement,
              answers.group(question),
              (rating, by) => flushSync(() => choose(statement, rating, by)),
              event.currentTarget,
            )
          }
        >
          <span id={`${statement.id}-text`} className="statement-text">
            {statement.question}
          </span>
          {section.sectionOptions.map((option) => {
            const rated = statementRated(group, option.value, statement.id)
            return (
              <Rating
                key={option.value}
                statement={statement}
                option={option}
                takenBy={question.subQuestions.find((one) => one.id === rated)?.question}
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
