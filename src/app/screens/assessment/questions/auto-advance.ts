import { AUTO_ADVANCE_MS, TAPS_IGNORED_MS } from '#app/constants.ts'
import type { ScreenAnswers } from '#app/questionnaire/answers.ts'
import { trySetItem } from '#app/ui/browser/try-set-item.ts'

const KEY = 'movesOn'

/** Whether a single choice advances to the next question on this device: yes, unless the player switched it off. */
export function isAutoAdvanceOn(): boolean {
  return localStorage.getItem(KEY) !== 'off'
}

export function setAutoAdvance(isOn: boolean): void {
  if (isOn) localStorage.removeItem(KEY)
  else trySetItem(KEY, 'off')
}

/**
 * Advances to the next question after a choice, once the player has had time to see it and it is on the disk. Touching or
 * pressing anything else in the meantime cancels it; a second tap on the same choice (a double tap) does not. docs/decisions/0036
 * @param written resolves to whether the choice is on the disk
 * @returns aborting it cancels the advance
 */
export function advanceSoon(answers: ScreenAnswers, written: Promise<boolean>, advance: () => void): AbortController {
  const waiting = new AbortController()
  const { signal } = waiting
  const cancel = () => waiting.abort()
  const onTouch = ({ target }: Event) => isChosen(target) || cancel()
  document.addEventListener('pointerdown', onTouch, { capture: true, signal })
  document.addEventListener('keydown', cancel, { capture: true, signal })
  const advanceIfWritten = async () => {
    const isWritten = await written
    if (signal.aborted) return
    cancel()
    // a failed write is reported on this question, so stay here
    if (!isWritten || answers.snapshot().hasFailedWrites) return
    advance()
    ignoreTapsForAMoment()
  }
  setTimeout(() => void advanceIfWritten(), AUTO_ADVANCE_MS)
  return waiting
}

function isChosen(target: EventTarget | null): boolean {
  const radio = target instanceof Element && target.closest('label')?.control
  return radio instanceof HTMLInputElement && radio.type === 'radio' && radio.checked
}

/** Has the screen that is there now ignore taps. Keys and assistive technology still work. Set on the element directly, so that no render is needed. */
function ignoreTapsForAMoment(): void {
  const panel = document.getElementById('section-panel')
  panel?.setAttribute('data-ignores-taps', '')
  setTimeout(() => panel?.removeAttribute('data-ignores-taps'), TAPS_IGNORED_MS)
}
