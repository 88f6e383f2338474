import type { QuestionProps } from './question-props.ts'
import { SingleChoice } from './single-choice.tsx'

/** One agreement value per item. QUESTIONS-11 */
export function LikertItem(props: QuestionProps) {
  return <SingleChoice {...props} options={props.section.sectionOptions} variant="agreement" />
}
