import { useEffect, useRef } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import type { Questionnaire } from '#app/questionnaire/questionnaire.ts'
import { useAnswers } from '#app/questionnaire/use-questionnaire.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { SECTION_OF_DOUBT, type Doubt } from '#contract/rules/answer-doubts.ts'
import { DOUBT_KEYS } from '#contract/rules/doubt-keys.ts'
import { countRemaining, sectionTypeOf, type Section } from '#contract/rules/questionnaire.ts'
import styles from './doubts.module.css'

interface AnswerDoubtsProps {
  doubts: readonly Doubt[]
  sections: readonly Section[]
  questionnaire: Questionnaire
  isBusy: boolean
  /** @param section its position */
  onReview: (section: number) => void
  onSubmit: () => void
  onIncomplete: () => void
}

/** What was noticed, in place of Submit. Both ways are open, and nothing is locked meanwhile. QUESTIONS-22 */
export function AnswerDoubts({ doubts, sections, questionnaire, isBusy, onReview, onSubmit, onIncomplete }: AnswerDoubtsProps) {
  const { t } = useTranslation('doubts')
  const isComplete = countRemaining(sections, useAnswers(questionnaire.answers).answers) === 0
  const panel = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)

  useEffect(() => {
    panel.current?.scrollIntoView({ block: 'start' })
    heading.current?.focus({ preventScroll: true })
  }, [])
  // an answer was cleared above: there is nothing to submit now
  useEffect(() => {
    if (!isComplete) onIncomplete()
  }, [isComplete, onIncomplete])

  const [first] = doubts
  const place = sections.findIndex((section) => first !== undefined && sectionTypeOf(section) === SECTION_OF_DOUBT[first])
  return (
    <section ref={panel} className={`notice stack ${styles.panel}`} aria-labelledby="doubts">
      <h2 id="doubts" ref={heading} tabIndex={-1}>
        {t('DoubtsTitle')}
      </h2>
      {doubts.map((doubt) => (
        <p key={doubt}>{t(DOUBT_KEYS[doubt])}</p>
      ))}
      <p>{t('DoubtsWhatNow')}</p>
      <div className="row test-actions">
        <Button variant="primary" onClick={() => onReview(Math.max(0, place))}>
          {t('DoubtsLook')}
        </Button>
        <Button isBusy={isBusy} onClick={onSubmit}>
          {t('DoubtsHandIn')}
        </Button>
      </div>
    </section>
  )
}
