import { useCallback, useSyncExternalStore } from 'react'
import type { AnswersSnapshot, ScreenAnswers } from '#app/offline/answers.ts'
import type { GroupValue, Question } from '#contract/rules/questionnaire.ts'

/** One question's answers: only this question paints when they change. */
export function useGroup(answers: ScreenAnswers, question: Question): GroupValue {
  const subscribe = useCallback((changed: () => void) => answers.subscribeGroup(question.id, changed), [answers, question.id])
  return useSyncExternalStore(subscribe, () => answers.group(question))
}

/** All of them, for what counts and says where they are. */
export function useAnswers(answers: ScreenAnswers): AnswersSnapshot {
  return useSyncExternalStore(answers.subscribe, answers.snapshot)
}
