import { memo } from 'react'
import type { Translation } from '#app/i18n/use-translation.ts'
import type { Option, SubQuestion } from '#contract/rules/questionnaire.ts'
import { chosenBy, type ChosenBy } from './ranking-taps.ts'

interface RatingProps {
  statement: SubQuestion
  option: Option
  /** the statement of the group that has this rating already */
  takenBy: string | undefined
  onChoose: (statement: SubQuestion, rating: string, by: ChosenBy) => void
  /** passed in, so that the sixteen ratings of a group do not each subscribe to the language */
  t: Translation['t']
}

/** One rating of one statement. Memoized: of the sixteen in a group, a tap renders only those that change. */
export const Rating = memo(function Rating({ statement, option, takenBy, onChoose, t }: RatingProps) {
  const values = { rating: option.value, label: option.label }
  return (
    <label className="rating">
      <input
        type="radio"
        name={statement.id}
        value={option.value}
        disabled={takenBy !== undefined}
        aria-label={takenBy === undefined ? t('TestRating', values) : t('TestRatingTaken', { ...values, statement: takenBy })}
        // not onChange: a second click on the chosen rating clears it
        onClick={(event) => onChoose(statement, option.value, chosenBy(event))}
      />
      <span aria-hidden="true">{option.value}</span>
    </label>
  )
})
