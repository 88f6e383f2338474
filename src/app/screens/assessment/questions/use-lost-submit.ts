import { useEffect, useState } from 'react'
import type { Questionnaire } from '#app/questionnaire/questionnaire.ts'
import { wasSubmitLost } from '#app/questionnaire/submit.ts'

/**
 * Whether Submit was lost with a part of the app, also if the page has reloaded for that part since; and its setter.
 * @param isBackFromDetails a Submit that waited for the details form, or for the part that looks for missing details, continues first
 */
export function useLostSubmit(questionnaire: Questionnaire, isBackFromDetails: boolean): [boolean, (isLost: boolean) => void] {
  const { instanceId } = questionnaire.key
  const [isLost, setLost] = useState(() => !isBackFromDetails && wasSubmitLost(instanceId))
  useEffect(() => {
    if (isBackFromDetails) void questionnaire.returnFromDetails().then(() => setLost(wasSubmitLost(instanceId)))
  }, [questionnaire, isBackFromDetails, instanceId])
  return [isLost, setLost]
}
