import { OneChoice } from './single-choice.tsx'
import type { QuestionProps } from '#app/screens/assessment/questions/question.tsx'

/** Two options per item, one chosen. QUESTIONS-10 */
export function Ipsative(props: QuestionProps) {
  return <OneChoice {...props} options={props.question.options} look="pair" />
}
