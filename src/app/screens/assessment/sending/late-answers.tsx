import type { RefObject } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import type { Questionnaire } from '#app/questionnaire/questionnaire.ts'
import type { Section } from '#contract/rules/questionnaire.ts'
import { useAnswers } from '#app/questionnaire/use-questionnaire.ts'

export interface LateAnswersProps {
  sections: readonly Section[]
  questionnaire: Questionnaire
  /** takes the focus when an answer is settled and its buttons disappear */
  heading: RefObject<HTMLElement | null>
}

/** Another device answered the same question later: that answer counts, and the player may choose this device's instead. ANSWERS-11 */
export function LateAnswers({ sections, questionnaire, heading }: LateAnswersProps) {
  const { t } = useTranslation('assessment')
  const { late } = useAnswers(questionnaire.answers)
  if (late.length === 0) return null

  async function resolve(questionId: string, isRestored: boolean) {
    await questionnaire.resolveLate(questionId, isRestored)
    heading.current?.focus({ preventScroll: true })
  }

  const places = sections.flatMap((section, s) => section.questions.map((question, q) => ({ question, section: s + 1, number: q + 1 })))
  return (
    <div className="notice notice-wait" role="status">
      {late.map(({ questionId }) => {
        const place = places.find(({ question }) => question.id === questionId)
        return (
          <div key={questionId} className="late-answer">
            <p>{t('TestLate', { section: place?.section, number: place?.number, question: place?.question.question })}</p>
            <div className="row">
              <button type="button" className="button" onClick={() => void resolve(questionId, true)}>
                {t('TestLateTake')}
              </button>
              <button type="button" className="button button-quiet" onClick={() => void resolve(questionId, false)}>
                {t('TestLateLeave')}
              </button>
            </div>
          </div>
        )
      })}
    </div>
  )
}
