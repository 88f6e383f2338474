import { useEffect, useSyncExternalStore } from 'react'
import { questionnaireOf, type Questionnaire } from './open-questionnaire.ts'

const LOADING: Questionnaire = { state: 'loading' }
const never = () => () => undefined
const isLoading = () => LOADING

export function useQuestionnaire(userId: string | undefined, instanceId: string, language: string): Questionnaire {
  const opened = userId === undefined ? undefined : questionnaireOf({ userId, instanceId }, language)
  useEffect(() => opened?.setLanguage(language), [opened, language])
  return useSyncExternalStore(opened?.subscribe ?? never, opened?.get ?? isLoading)
}
