import { useCallback, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import type { RefObject } from 'react'
import type { GroupValue, Question } from '#contract/rules/questionnaire.ts'
import type { ShownAnswers, ScreenAnswers } from './answers.ts'
import { questionnaireOf, type QuestionnaireState } from './questionnaire.ts'

const LOADING: QuestionnaireState = { state: 'loading' }
const neverChanges = () => () => undefined
const loadingState = () => LOADING

/** Opens a questionnaire for as long as the component is mounted; 'loading' without a user id. */
export function useQuestionnaire(userId: string | undefined, instanceId: string, language: string): QuestionnaireState {
  const opened = userId === undefined ? undefined : questionnaireOf({ userId, instanceId }, language)
  useEffect(() => opened?.setLanguage(language), [opened, language])
  return useSyncExternalStore(opened?.subscribe ?? neverChanges, opened?.get ?? loadingState)
}

/** The value of one question's group; only this question renders when it changes. */
export function useGroup(answers: ScreenAnswers, question: Question): GroupValue {
  const subscribe = useCallback((changed: () => void) => answers.listeners.subscribeGroup(question.id, changed), [answers, question.id])
  return useSyncExternalStore(subscribe, () => answers.group(question))
}

/**
 * Sets a question's radios to its group's value; put the ref on the fieldset. The radios are uncontrolled, so that the browser
 * draws a tap in the next frame without waiting for React.
 */
export function useChosen(group: GroupValue): RefObject<HTMLFieldSetElement | null> {
  const fieldset = useRef<HTMLFieldSetElement>(null)
  useLayoutEffect(() => {
    for (const radio of fieldset.current?.querySelectorAll('input') ?? []) radio.checked = group[radio.name] === radio.value
  })
  return fieldset
}

/** All answers and where they are, for counts and the save status. */
export function useAnswers(answers: ScreenAnswers): ShownAnswers {
  return useSyncExternalStore(answers.listeners.subscribe, answers.snapshot)
}
