import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { AUTO_ADVANCE_MS, TAPS_IGNORED_MS } from '#app/constants.ts'
import type { ScreenAnswers } from '#app/questionnaire/answers.ts'
import type { OnChosen } from '#app/screens/assessment/sections/question-props.ts'
import { isAutoAdvanceOn } from './auto-advance.ts'

/**
 * Advances to the next question after a choice, once the player has had time to see it and it is on the disk. Touching or
 * pressing anything else in the meantime cancels it; a second tap on the same choice (a double tap) does not. docs/decisions/0036
 * @param advance undefined where there is no next question
 */
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
      if (!latest.current || !isAutoAdvanceOn()) return
      const { signal } = (waiting.current = new AbortController())
      const cancel = () => waiting.current?.abort()
      const onTouch = ({ target }: Event) => isChosen(target) || cancel()
      document.addEventListener('pointerdown', onTouch, { capture: true, signal })
      document.addEventListener('keydown', cancel, { capture: true, signal })
      const advanceIfWritten = async () => {
        const isWritten = await written
        if (signal.aborted) return
        cancel()
        // a failed write is reported on this question, so stay here
        if (!isWritten || answers.snapshot().notSaved) return
        ignoreTapsForAMoment()
        latest.current?.()
      }
      setTimeout(() => void advanceIfWritten(), AUTO_ADVANCE_MS)
    },
    [answers],
  )
}

function isChosen(target: EventTarget | null): boolean {
  const radio = target instanceof Element && target.closest('label')?.control
  return radio instanceof HTMLInputElement && radio.type === 'radio' && radio.checked
}

/** Keys and assistive technology still work. Set on the element directly, so that no render is needed. */
function ignoreTapsForAMoment(): void {
  const panel = document.getElementById('section-panel')
  panel?.setAttribute('data-ignores-taps', '')
  setTimeout(() => panel?.removeAttribute('data-ignores-taps'), TAPS_IGNORED_MS)
}
