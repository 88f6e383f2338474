import { memo } from 'react'
import type { ScreenAnswers } from '#app/offline/answers.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import type { Section } from '#contract/rules/questionnaire.ts'
import { Question } from './question.tsx'

interface QuestionListProps {
  section: Section
  /** its position among the sections */
  position: number
  /** position of the first question to show, and how many: one on a phone (ruling 26) */
  from: number
  count: number
  answers: ScreenAnswers
}

/** A section's questions. Painted anew when one goes elsewhere, not at every save: there may be a thousand. */
export const QuestionList = memo(function QuestionList({ section, position, from, count, answers }: QuestionListProps) {
  const { t } = useTranslation('assessment')
  return (
    <div id="section-panel" role="tabpanel" aria-labelledby={`tab-${section.name}`} className="test-questions">
      {section.questions.map((question, index) =>
        index < from || index >= from + count ? null : (
          <div key={question.id} id={`question-${position}-${index}`} tabIndex={-1} className="test-question">
            <p className="soft small">{t('TestQuestion', { number: index + 1, count: section.questions.length })}</p>
            <Question section={section} question={question} answers={answers} />
          </div>
        ),
      )}
    </div>
  )
})
