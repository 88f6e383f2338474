import { useTranslation } from '#app/i18n/use-translation.ts'
import type { ScreenAnswers } from '#app/questionnaire/answers.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { countOpen, countRemaining, firstUnanswered, type Section } from '#contract/rules/questionnaire.ts'
import { useAnswers } from '#app/questionnaire/use-questionnaire.ts'
import type { Place } from './places.ts'

interface TestFooterProps {
  sections: readonly Section[]
  answers: ScreenAnswers
  isLast: boolean
  /** the assessment was completed or reclaimed elsewhere: nothing can be submitted */
  isEnded: boolean
  isBusy: boolean
  /** whether a question is not the one on screen */
  isElsewhere: (place: Place) => boolean
  onGoTo: (place: Place) => void
  onBack: (() => void) | undefined
  onNext: () => void
  onSave: () => void
  onSubmit: () => void
}

/**
 * Next, or on the last screen Submit. While answers are missing, Submit reads Save plus the number left (QUESTIONS-14), and a
 * button to the first unanswered question comes before it.
 */
export function TestFooter(props: TestFooterProps) {
  const { t } = useTranslation('assessment')
  const { sections, isLast, isEnded, isBusy, isElsewhere, onGoTo, onBack, onNext, onSave, onSubmit } = props
  const given = useAnswers(props.answers).answers
  const remaining = countRemaining(sections, given)
  const unanswered = isLast && !isEnded ? firstUnanswered(sections, given) : undefined
  const target = unanswered && isElsewhere(unanswered) ? unanswered : undefined
  return (
    <div className="test-footer">
      <div className="test-footer-row">
        {onBack && (
          <Button className="test-back" onClick={onBack}>
            {t('TestBack')}
          </Button>
        )}
        {!isLast && (
          <Button variant="primary" className="test-next" onClick={onNext}>
            {t('TestNext')}
          </Button>
        )}
        {target && (
          <Button variant="primary" className="test-next test-open" onClick={() => onGoTo(target)}>
            {t('TestGoToOpen', { count: countOpen(sections, given) })}
          </Button>
        )}
        {isLast && !isEnded && (
          <Button
            variant={target ? 'plain' : 'primary'}
            className={target ? '' : 'test-next'}
            isBusy={isBusy}
            onClick={remaining === 0 ? onSubmit : onSave}
          >
            {remaining === 0 ? t('TestSubmit') : t('TestSaveLeft', { count: remaining })}
          </Button>
        )}
      </div>
    </div>
  )
}
