import { memo } from 'react'
import type { Translation } from '#app/i18n/use-translation.ts'
import type { Option, SubQuestion } from '#contract/rules/questionnaire.ts'

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
        // a second click on the selected value clears it, which a radio does not report as a change; a key's click has no count
        onClick={(event) => onChoose(statement, option.value, event.detail > 0)}
      />
      <span aria-hidden="true">{option.value}</span>
    </label>
  )
})
