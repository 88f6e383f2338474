import { OneChoice } from './single-choice.tsx'
import type { QuestionProps } from '#app/screens/assessment/questions/question.tsx'

/** One agreement value per item. QUESTIONS-11 */
export function LikertItem(props: QuestionProps) {
  return <OneChoice {...props} options={props.section.sectionOptions} look="agreement" />
}
