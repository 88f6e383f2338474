import type { ScreenAnswers } from '#app/questionnaire/answers.ts'
import type { Question, Section } from '#contract/rules/questionnaire.ts'

/** Called on a single choice by touch or mouse; the promise resolves to whether it was written to the disk. */
export type OnChosen = (written: Promise<boolean>) => void

/** A question, and where its answers are. */
export interface AnsweredQuestion {
  section: Section
  question: Question
  answers: ScreenAnswers
}

/** The props of every section type's component. */
export interface QuestionProps extends AnsweredQuestion {
  /** undefined: a choice does not advance automatically */
  onChosen: OnChosen | undefined
}
