import { OneChoice } from './one-choice.tsx'
import type { QuestionProps } from './question.tsx'

/** Two options per item, one chosen. QUESTIONS-10 */
export function Ipsative(props: QuestionProps) {
  return <OneChoice {...props} options={props.question.options} look="pair" />
}
