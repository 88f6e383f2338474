import { memo } from 'react'
import type { ScreenAnswers } from '#app/questionnaire/answers.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { sectionTypeOf, type Section } from '#contract/rules/questionnaire.ts'
import { QuestionHeader } from './question-header.tsx'
import { Question } from './question.tsx'
import { keepInSight, type Place } from './places.ts'
import type { OnChosen } from '#app/screens/assessment/sections/question-props.ts'

interface QuestionListProps {
  section: Section
  /** its position among the sections */
  position: number
  /** the first question to show, and how many: one on a phone (QUESTIONS-3) */
  from: number
  count: number
  answers: ScreenAnswers
  onChosen: OnChosen | undefined
  /** a question was focused, where there are several */
  onReached: ((place: Place) => void) | undefined
}

/** A section's questions. Memoized, as there may be a thousand: it renders again on moving, but not on every save. */
export const QuestionList = memo(function QuestionList({
  section,
  position,
  from,
  count,
  answers,
  onChosen,
  onReached,
}: QuestionListProps) {
  const { t } = useTranslation('assessment')
  const type = sectionTypeOf(section)
  return (
    <div id="section-panel" role="tabpanel" aria-labelledby={`tab-${section.name}`} className="test-questions">
      {type === undefined && (
        <div id={`question-${position}-0`} className="test-question">
          <p tabIndex={-1} role="alert">
            {t('AssessmentSectionNotImplemented')}
          </p>
        </div>
      )}
      {section.questions.map((question, index) =>
        type === undefined || index < from || index >= from + count ? null : (
          <div
            key={question.id}
            id={`question-${position}-${index}`}
            className="test-question"
            onFocus={({ target, relatedTarget }) => {
              keepInSight(target, relatedTarget)
              onReached?.({ section: position, question: index })
            }}
          >
            <QuestionHeader
              section={section}
              question={question}
              number={index + 1}
              answers={answers}
              isAlone={count === 1}
              isFirst={index === from}
            />
            <Question section={section} question={question} answers={answers} onChosen={onChosen} />
          </div>
        ),
      )}
    </div>
  )
})
