import { QuestionNames } from '#app/parts/assessment/question-names.tsx'
import { LONG_NAME } from '../../samples.ts'
import type { States } from '../../states.ts'

const question = (id: string, text: string) => ({ id, question: text, subQuestions: [], options: [] })
const SECTIONS = [
  { name: 'Section1', type: 'likert', sectionOptions: [], questions: [question('q1', 'I plan my week.'), question('q2', LONG_NAME)] },
]

export const states: States = {
  Default: () => <QuestionNames sections={SECTIONS} ids={['q1', 'q2']} />,
}
