import { useCallback, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import type { RefObject } from 'react'
import type { GroupValue, Question } from '#contract/rules/questionnaire.ts'
import type { AnswersSnapshot, ScreenAnswers } from './answers.ts'
import { questionnaireOf, type QuestionnaireState } from './questionnaire.ts'

const LOADING: QuestionnaireState = { state: 'loading' }
const never = () => () => undefined
const isLoading = () => LOADING

export function useQuestionnaire(userId: string | undefined, instanceId: string, language: string): QuestionnaireState {
  const opened = userId === undefined ? undefined : questionnaireOf({ userId, instanceId }, language)
  useEffect(() => opened?.setLanguage(language), [opened, language])
  return useSyncExternalStore(opened?.subscribe ?? never, opened?.get ?? isLoading)
}

/** One question's answers: only this question paints when they change. */
export function useGroup(answers: ScreenAnswers, question: Question): GroupValue {
  const subscribe = useCallback((changed: () => void) => answers.subscribeGroup(question.id, changed), [answers, question.id])
  return useSyncExternalStore(subscribe, () => answers.group(question))
}

/**
 * A question's radios show what its group holds. They are not React's: the browser draws a tap by itself, in the very next
 * frame, and what that changes around it follows.
 */
export function useChosen(group: GroupValue): RefObject<HTMLFieldSetElement | null> {
  const fieldset = useRef<HTMLFieldSetElement>(null)
  useLayoutEffect(() => {
    for (const radio of fieldset.current?.querySelectorAll('input') ?? []) radio.checked = group[radio.name] === radio.value
  })
  return fieldset
}

/** All of them, for what counts and says where they are. */
export function useAnswers(answers: ScreenAnswers): AnswersSnapshot {
  return useSyncExternalStore(answers.subscribe, answers.snapshot)
}
