import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { MOVE_ON_MS, UNREAD_MS } from '#app/constants.ts'
import type { ScreenAnswers } from '#app/questionnaire/answers.ts'
import { movesOn } from './auto-advance.ts'

/** Told of a single choice made by touch or mouse, with what becomes of its write. */
export type OnChosen = (written: Promise<boolean>) => void

/**
 * Leads to the next question once the choice was seen and is on the disk. Whatever is touched or pressed meanwhile is the
 * person's own way on, and this gives up its own; a second tap on the same choice is a double tap. docs/decisions/0036
 * @param goOn undefined where there is nothing to go on to
 */
export function useMoveOn(answers: ScreenAnswers, goOn: (() => void) | undefined): OnChosen {
  const latest = useRef(goOn)
  const waiting = useRef<AbortController>(undefined)
  useLayoutEffect(() => {
    latest.current = goOn
  })
  useEffect(() => () => waiting.current?.abort(), [])

  return useCallback(
    (written) => {
      waiting.current?.abort()
      if (!latest.current || !movesOn()) return
      const { signal } = (waiting.current = new AbortController())
      const giveUp = () => waiting.current?.abort()
      const onTouch = ({ target }: Event) => isChosen(target) || giveUp()
      document.addEventListener('pointerdown', onTouch, { capture: true, signal })
      document.addEventListener('keydown', giveUp, { capture: true, signal })
      const go = async () => {
        const isWritten = await written
        if (signal.aborted) return
        giveUp()
        // what the disk has refused is said on this screen, and stays before the eyes
        if (!isWritten || answers.snapshot().notSaved) return
        restChoices()
        latest.current?.()
      }
      setTimeout(() => void go(), MOVE_ON_MS)
    },
    [answers],
  )
}

function isChosen(target: EventTarget | null): boolean {
  const radio = target instanceof Element && target.closest('label')?.control
  return radio instanceof HTMLInputElement && radio.type === 'radio' && radio.checked
}

/** Taps fall through the choices for a moment; keys and assistive technology reach them. An attribute, not React's: no paint waits for it. */
function restChoices(): void {
  const panel = document.getElementById('section-panel')
  panel?.setAttribute('data-unread', '')
  setTimeout(() => panel?.removeAttribute('data-unread'), UNREAD_MS)
}

/** A finger, a pen or a mouse: what assistive technology makes of a double tap has no size, or is a mouse without pressure. */
export function isByHand({ width, height, pressure, pointerType }: PointerEvent): boolean {
  return (width > 0 || height > 0) && !(pointerType === 'mouse' && pressure === 0)
}
