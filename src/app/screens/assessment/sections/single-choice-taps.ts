import { DOUBLE_TAP_MS } from '#app/constants.ts'
import type { AnsweredQuestion, QuestionProps } from './question-props.ts'

/** What taps and keys on a question with one value do, in React's questions and in those that the page shows before React (docs/decisions/0064). */

export interface Taps {
  wasTouched: boolean
  /** time stamp of the click that chose the present option */
  chosenAt: number
}

export const noTaps = (): Taps => ({ wasTouched: false, chosenAt: -Infinity })

export function noteTouch(taps: Taps, event: PointerEvent): void {
  taps.wasTouched = isByHand(event)
}

export function onChoiceClick(
  taps: Taps,
  { section, question, answers, onChosen }: QuestionProps,
  { detail, timeStamp }: Pick<MouseEvent, 'detail' | 'timeStamp'>,
  value: string,
): void {
  const before = answers.group(question)[question.id] ?? null
  const isTap = detail > 0 && taps.wasTouched
  taps.wasTouched = false
  const isDoubleTap = isTap && before === value && timeStamp - taps.chosenAt < DOUBLE_TAP_MS
  if (onChosen && isDoubleTap) return
  // a second click on the chosen option clears it
  const next = before === value ? null : value
  const written = answers.answer(question, section.name, { [question.id]: next }, { isShown: next !== null })
  // only a tap on an unanswered question advances: not a click made by keys or a screen reader, nor a changed answer
  if (before === null && isTap) onChosen?.(written)
  taps.chosenAt = timeStamp
}

export function onChoiceKey(
  { section, question, answers }: AnsweredQuestion,
  event: Pick<KeyboardEvent, 'target' | 'key' | 'preventDefault'>,
): void {
  const chosen = answers.group(question)[question.id] ?? null
  const isChosen = event.target instanceof HTMLInputElement && event.target.value === chosen
  const isClear = event.key === 'Delete' || event.key === 'Backspace' || (event.key === ' ' && isChosen)
  if (chosen === null || !isClear) return
  event.preventDefault()
  void answers.answer(question, section.name, { [question.id]: null })
}

/** By finger, pen or mouse. A click made by assistive technology has no size, or comes from a mouse without pressure. */
function isByHand({ width, height, pressure, pointerType }: PointerEvent): boolean {
  return (width > 0 || height > 0) && !(pointerType === 'mouse' && pressure === 0)
}
