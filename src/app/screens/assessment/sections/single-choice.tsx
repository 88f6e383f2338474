import { useRef } from 'react'
import type { KeyboardEvent, MouseEvent } from 'react'
import { DOUBLE_TAP_MS } from '#app/constants.ts'
import { useChosen, useGroup } from '#app/questionnaire/use-questionnaire.ts'
import type { Option } from '#contract/rules/questionnaire.ts'
import type { QuestionProps } from './question-props.ts'

interface SingleChoiceProps extends QuestionProps {
  options: readonly Option[]
  look: 'pair' | 'agreement'
}

/** One value per question, for pairs of statements and agreement scales: they differ only in options and look. */
export function SingleChoice({ section, question, answers, options, look, onChosen }: SingleChoiceProps) {
  const fieldset = useChosen(useGroup(answers, question))
  const wasTouched = useRef(false)
  const chosenAt = useRef(-Infinity)
  const chosen = () => answers.group(question)[question.id] ?? null
  const answer = (value: string | null) => answers.answer(question, section.name, { [question.id]: value }, value !== null)

  function onClick({ detail, timeStamp }: MouseEvent, value: string) {
    const before = chosen()
    const isTap = detail > 0 && wasTouched.current
    wasTouched.current = false
    const isDoubleTap = isTap && before === value && timeStamp - chosenAt.current < DOUBLE_TAP_MS
    if (onChosen && isDoubleTap) return
    // a second click on the chosen option clears it
    const written = answer(before === value ? null : value)
    // only a tap on an unanswered question advances: not a click made by keys or a screen reader, nor a changed answer
    if (before === null && isTap) onChosen?.(written)
    chosenAt.current = timeStamp
  }

  return (
    <fieldset ref={fieldset} tabIndex={-1} className={`question ${look}`}>
      <legend>{question.question}</legend>
      <div
        className="choices"
        onKeyDown={(event) => onClearKey(event, chosen(), () => void answer(null))}
        onPointerDown={({ nativeEvent }) => {
          wasTouched.current = isByHand(nativeEvent)
        }}
      >
        {options.map((option) => (
          <label key={option.value} className="choice">
            <input type="radio" name={question.id} value={option.value} onClick={(event) => onClick(event, option.value)} />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function onClearKey(event: KeyboardEvent, chosen: string | null, clear: () => void): void {
  const isChosen = event.target instanceof HTMLInputElement && event.target.value === chosen
  const isClear = event.key === 'Delete' || event.key === 'Backspace' || (event.key === ' ' && isChosen)
  if (chosen === null || !isClear) return
  event.preventDefault()
  clear()
}

/** By finger, pen or mouse. A click made by assistive technology has no size, or comes from a mouse without pressure. */
function isByHand({ width, height, pressure, pointerType }: PointerEvent): boolean {
  return (width > 0 || height > 0) && !(pointerType === 'mouse' && pressure === 0)
}
