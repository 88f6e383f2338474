import { useTranslation } from '#app/i18n/use-translation.ts'
import type { ScreenAnswers } from '#app/questionnaire/answers.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { countOpen, countRemaining, firstUnanswered, type Section } from '#contract/rules/questionnaire.ts'
import { useAnswers } from '#app/questionnaire/use-questionnaire.ts'
import type { Place } from './use-place.ts'

interface TestFooterProps {
  sections: readonly Section[]
  answers: ScreenAnswers
  isLast: boolean
  /** elsewhere: there is nothing left to send */
  isEnded: boolean
  isBusy: boolean
  isOpenElsewhere: (open: Place) => boolean
  onOpen: (open: Place) => void
  onBack: (() => void) | undefined
  onNext: () => void
  onSave: () => void
  onSubmit: () => void
}

/**
 * Next, or on the last section Submit. While questions are open there, that reads Save plus the number left (QUESTIONS-14), and a
 * button to the first of them comes before it.
 */
export function TestFooter(props: TestFooterProps) {
  const { t } = useTranslation('assessment')
  const { sections, isLast, isEnded, isBusy, isOpenElsewhere, onOpen, onBack, onNext, onSave, onSubmit } = props
  const given = useAnswers(props.answers).answers
  const remaining = countRemaining(sections, given)
  const open = isLast && !isEnded ? firstUnanswered(sections, given) : undefined
  const leadsTo = open && isOpenElsewhere(open) ? open : undefined
  return (
    <div className="test-footer">
      <div className="test-footer-row">
        {onBack && (
          <Button className="test-back" onClick={onBack}>
            {t('TestBack')}
          </Button>
        )}
        {!isLast && (
          <Button look="primary" className="test-next" onClick={onNext}>
            {t('TestNext')}
          </Button>
        )}
        {leadsTo && (
          <Button look="primary" className="test-next test-open" onClick={() => onOpen(leadsTo)}>
            {t('TestGoToOpen', { count: countOpen(sections, given) })}
          </Button>
        )}
        {isLast && !isEnded && (
          <Button
            look={leadsTo ? 'plain' : 'primary'}
            className={leadsTo ? '' : 'test-next'}
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
