import type { ScreenAnswers } from '#app/questionnaire/answers.ts'
import type { Question, Section } from '#contract/rules/questionnaire.ts'

/** Called on a single choice by touch or mouse, with the outcome of its write. */
export type OnChosen = (written: Promise<boolean>) => void

/** What every section type draws a question from. */
export interface QuestionProps {
  section: Section
  question: Question
  answers: ScreenAnswers
  /** undefined: a choice leads nowhere by itself */
  onChosen: OnChosen | undefined
}
