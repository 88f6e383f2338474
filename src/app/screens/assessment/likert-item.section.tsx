import type { ScreenAnswers } from '#app/offline/answers.ts'
import type { Question, Section } from '#contract/rules/questionnaire.ts'
import { OneChoice } from './one-choice.tsx'

/** One agreement value per item. §5 */
export function LikertItem(props: { section: Section; question: Question; answers: ScreenAnswers }) {
  return <OneChoice {...props} options={props.section.sectionOptions} look="agreement" />
}
