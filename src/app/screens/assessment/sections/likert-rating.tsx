import { memo } from 'react'
import type { Translation } from '#app/i18n/use-translation.ts'
import type { Option, SubQuestion } from '#contract/rules/questionnaire.ts'

interface RatingProps {
  statement: SubQuestion
  option: Option
  /** the statement of the group that has this rating already */
  takenBy: string | undefined
  onChoose: (statement: SubQuestion, rating: string, isTap: boolean) => void
  /** the question's, so that sixteen of these do not each subscribe to the language */
  t: Translation['t']
}

/** One rating of one statement: of the sixteen, a tap renders only those that change. */
export const Rating = memo(function Rating({ statement, option, takenBy, onChoose, t }: RatingProps) {
  const words = { rating: option.value, label: option.label }
  return (
    <label className="rating">
      <input
        type="radio"
        name={statement.id}
        value={option.value}
        disabled={takenBy !== undefined}
        aria-label={takenBy === undefined ? t('TestRating', words) : t('TestRatingTaken', { ...words, statement: takenBy })}
        // a second click on the chosen rating clears it; a radio reports no change for it. A click made by a key counts 0
        onClick={(event) => onChoose(statement, option.value, event.detail > 0)}
      />
      <span aria-hidden="true">{option.value}</span>
    </label>
  )
})
