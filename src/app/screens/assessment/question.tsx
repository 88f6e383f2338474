import { memo } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import type { ScreenAnswers } from '#app/offline/answers.ts'
import { sectionTypeOf, type Question as AnyQuestion, type Section } from '#contract/rules/questionnaire.ts'
import { Ipsative } from './ipsative.section.tsx'
import { LikertItem } from './likert-item.section.tsx'
import { LikertScale } from './likert-scale.section.tsx'

export interface QuestionProps {
  section: Section
  question: AnyQuestion
  answers: ScreenAnswers
}

/** One question by its section's type; paints only when its own answers change. */
export const Question = memo(function Question(props: QuestionProps) {
  const { t } = useTranslation('assessment')
  switch (sectionTypeOf(props.section)) {
    case 'likertscale':
      return <LikertScale {...props} />
    case 'ipsative':
      return <Ipsative {...props} />
    case 'likertitem':
      return <LikertItem {...props} />
    case undefined:
      return <p role="alert">{t('AssessmentSectionNotImplemented')}</p>
  }
})
