import type { ScreenAnswers } from '#app/offline/answers.ts'
import type { Question, Section } from '#contract/rules/questionnaire.ts'
import { OneChoice } from './one-choice.tsx'

/** Two options per item, one chosen. §5 */
export function Ipsative(props: { section: Section; question: Question; answers: ScreenAnswers }) {
  return <OneChoice {...props} options={props.question.options} look="pair" />
}
