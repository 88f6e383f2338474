import { useTranslation } from '#app/i18n/use-translation.ts'
import type { ScreenAnswers } from '#app/questionnaire/answers.ts'
import { countItems, countRemaining, firstUnanswered, type Section } from '#contract/rules/questionnaire.ts'
import { useAnswers } from '#app/questionnaire/use-questionnaire.ts'
import type { Place } from './places.ts'

interface TestProgressProps {
  sections: readonly Section[]
  answers: ScreenAnswers
  onGoTo: (place: Place) => void
}

/** How much is left: a bar, and a button that goes to the first unanswered question. */
export function TestProgress({ sections, answers, onGoTo }: TestProgressProps) {
  const { t } = useTranslation('assessment')
  const given = useAnswers(answers).answers
  const total = countItems(sections)
  const remaining = countRemaining(sections, given)
  const unanswered = firstUnanswered(sections, given)
  return (
    <div className="test-progress">
      <progress max={total} value={total - remaining} aria-label={t('TestProgress')} />
      {unanswered ? (
        <button type="button" className="text-button test-left" onClick={() => onGoTo(unanswered)}>
          {t('TestLeft', { count: remaining })}
        </button>
      ) : (
        <span>{t('TestNothingLeft')}</span>
      )}
    </div>
  )
}
