import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import type { ScreenAnswers } from '#app/questionnaire/answers.ts'
import type { OnChosen } from '#app/screens/assessment/sections/question-props.ts'
import { advanceSoon, isAutoAdvanceOn } from './auto-advance.ts'

/** @param advance undefined where there is no next question */
export function useAutoAdvance(answers: ScreenAnswers, advance: (() => void) | undefined): OnChosen {
  const latest = useRef(advance)
  const waiting = useRef<AbortController>(undefined)
  useLayoutEffect(() => {
    latest.current = advance
  })
  useEffect(() => () => waiting.current?.abort(), [])

  return useCallback(
    (written) => {
      waiting.current?.abort()
      if (latest.current && isAutoAdvanceOn()) waiting.current = advanceSoon(answers, written, () => latest.current?.())
    },
    [answers],
  )
}
