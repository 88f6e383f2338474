import { memo } from 'react'
import { sectionTypeOf } from '#contract/rules/questionnaire.ts'
import { Ipsative } from '#app/screens/assessment/sections/ipsative.section.tsx'
import { LikertItem } from '#app/screens/assessment/sections/likert-item.section.tsx'
import { LikertScale } from '#app/screens/assessment/sections/likert-scale.section.tsx'
import type { QuestionProps } from '#app/screens/assessment/sections/question-props.ts'
import '#app/screens/assessment/sections/sections.css'

/** One question, drawn by the component of its section's type; renders again only when its own answers change. */
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
