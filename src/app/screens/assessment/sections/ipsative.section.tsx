import type { QuestionProps } from './question-props.ts'
import { SingleChoice } from './single-choice.tsx'

/** Two options per item, one chosen. QUESTIONS-10 */
export function Ipsative(props: QuestionProps) {
  return <SingleChoice {...props} options={props.question.options} variant="pair" />
}
