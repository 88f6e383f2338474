import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { AUTO_ADVANCE_MS, TAPS_IGNORED_MS } from '#app/constants.ts'
import type { ScreenAnswers } from '#app/questionnaire/answers.ts'
import type { OnChosen } from '#app/screens/assessment/sections/question-props.ts'
import { isAutoAdvanceOn } from './auto-advance.ts'

/**
 * Goes to the next question once the choice has been seen and is on disk. Anything else touched or pressed in the meantime
 * cancels it; a second tap on the same choice is a double tap and does not. docs/decisions/0036
 * @param goOn undefined where there is no next question
 */
export function useAutoAdvance(answers: ScreenAnswers, goOn: (() => void) | undefined): OnChosen {
  const latest = useRef(goOn)
  const waiting = useRef<AbortController>(undefined)
  useLayoutEffect(() => {
    latest.current = goOn
  })
  useEffect(() => () => waiting.current?.abort(), [])

  return useCallback(
    (written) => {
      waiting.current?.abort()
      if (!latest.current || !isAutoAdvanceOn()) return
      const { signal } = (waiting.current = new AbortController())
      const cancel = () => waiting.current?.abort()
      const onTouch = ({ target }: Event) => isChosen(target) || cancel()
      document.addEventListener('pointerdown', onTouch, { capture: true, signal })
      document.addEventListener('keydown', cancel, { capture: true, signal })
      const go = async () => {
        const isWritten = await written
        if (signal.aborted) return
        cancel()
        // stays where the failed write is reported
        if (!isWritten || answers.snapshot().notSaved) return
        ignoreTapsForAMoment()
        latest.current?.()
      }
      setTimeout(() => void go(), AUTO_ADVANCE_MS)
    },
    [answers],
  )
}

function isChosen(target: EventTarget | null): boolean {
  const radio = target instanceof Element && target.closest('label')?.control
  return radio instanceof HTMLInputElement && radio.type === 'radio' && radio.checked
}

/** Choices ignore taps for a moment, but not keys and assistive technology. Set on the element, so that no render is needed. */
function ignoreTapsForAMoment(): void {
  const panel = document.getElementById('section-panel')
  panel?.setAttribute('data-ignores-taps', '')
  setTimeout(() => panel?.removeAttribute('data-ignores-taps'), TAPS_IGNORED_MS)
}
