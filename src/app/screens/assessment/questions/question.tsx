import { memo } from 'react'
import type { ScreenAnswers } from '#app/questionnaire/answers.ts'
import { sectionTypeOf, type Question as AnyQuestion, type Section } from '#contract/rules/questionnaire.ts'
import { Ipsative } from '#app/screens/assessment/sections/ipsative.section.tsx'
import { LikertItem } from '#app/screens/assessment/sections/likert-item.section.tsx'
import { LikertScale } from '#app/screens/assessment/sections/likert-scale.section.tsx'
import type { OnChosen } from './use-auto-advance.ts'

export interface QuestionProps {
  section: Section
  question: AnyQuestion
  answers: ScreenAnswers
  /** undefined: a choice leads nowhere by itself */
  onChosen: OnChosen | undefined
}

/** One question by its section's type; paints only when its own answers change. */
export const Question = memo(function Question(props: QuestionProps) {
  switch (sectionTypeOf(props.section)) {
    case 'likertscale':
      return <LikertScale {...props} />
    case 'ipsative':
      return <Ipsative {...props} />
    case 'likertitem':
      return <LikertItem {...props} />
    case undefined:
      return null
  }
})
