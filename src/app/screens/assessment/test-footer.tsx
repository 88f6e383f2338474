import { useTranslation } from '#app/i18n/use-translation.ts'
import type { ScreenAnswers } from '#app/offline/answers.ts'
import { Button } from '#app/ui/button.tsx'
import { countRemaining, type Section } from '#contract/rules/questionnaire.ts'
import { useAnswers } from './use-answers.ts'

interface TestFooterProps {
  sections: readonly Section[]
  answers: ScreenAnswers
  isLast: boolean
  /** it ended elsewhere: there is nothing to send any more */
  isEnded: boolean
  isBusy: boolean
  onBack: (() => void) | undefined
  onNext: () => void
  onSave: () => void
  onSubmit: () => void
}

/** Next, or on the last section Submit, which reads Save plus the number left while something is. §5 */
export function TestFooter({ sections, answers, isLast, isEnded, isBusy, onBack, onNext, onSave, onSubmit }: TestFooterProps) {
  const { t } = useTranslation('assessment')
  const remaining = countRemaining(sections, useAnswers(answers).answers)
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
        {isLast && !isEnded && (
          <Button look="primary" className="test-next" isBusy={isBusy} onClick={remaining === 0 ? onSubmit : onSave}>
            {remaining === 0 ? t('TestSubmit') : t('TestSaveLeft', { count: remaining })}
          </Button>
        )}
      </div>
    </div>
  )
}
