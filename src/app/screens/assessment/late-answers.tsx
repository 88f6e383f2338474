import { useTranslation } from 'react-i18next'
import type { ScreenAnswers } from '#app/offline/answers.ts'
import { dismissLate, takeLate } from '#app/offline/device-store.ts'
import { sendSoon } from '#app/offline/outbox.ts'
import type { Section } from '#contract/rules/questionnaire.ts'
import { useAnswers } from './use-answers.ts'

/** Another device answered the same question meanwhile: its answer stays, this one is offered with one tap. Ruling 15 */
export function LateAnswers({ sections, answers }: { sections: readonly Section[]; answers: ScreenAnswers }) {
  const { t } = useTranslation('assessment')
  const { late } = useAnswers(answers)
  if (late.length === 0) return null

  async function settle(questionId: string, isTaken: boolean) {
    await (isTaken ? takeLate : dismissLate)(answers.key, questionId)
    await answers.reload()
    if (isTaken) sendSoon()
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
              <button type="button" className="button" onClick={() => void settle(questionId, true)}>
                {t('TestLateTake')}
              </button>
              <button type="button" className="button button-quiet" onClick={() => void settle(questionId, false)}>
                {t('TestLateLeave')}
              </button>
            </div>
          </div>
        )
      })}
    </div>
  )
}
