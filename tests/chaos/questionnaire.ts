import { RATINGS, type Section } from '#contract/rules/questionnaire.ts'

const RATED = RATINGS.map((value) => ({ value, label: value }))
const statements = (q: string) => ['a', 'b', 'c', 'd'].map((s) => ({ id: `${q}-${s}`, question: s, options: RATED }))

/** A small questionnaire with every type of section, which is fast enough for thousands of histories. */
export const SECTIONS: Section[] = [
  {
    name: 'Section1',
    type: 'likertscale',
    sectionOptions: RATED,
    questions: ['r1', 'r2'].map((id) => ({ id, question: id, options: [], subQuestions: statements(id) })),
  },
  {
    name: 'Section2',
    type: 'ipsative',
    sectionOptions: [],
    questions: ['p1', 'p2'].map((id) => ({
      id,
      question: id,
      options: [
        { value: 'A', label: 'A' },
        { value: 'B', label: 'B' },
      ],
      subQuestions: [],
    })),
  },
  { name: 'Section3', type: 'likertitem', sectionOptions: [], questions: [{ id: 'l1', question: 'l1', options: [], subQuestions: [] }] },
]
export const QUESTIONS = SECTIONS.flatMap((section) => section.questions.map((question) => ({ section, question })))
