import { useRef } from 'react'
import type { KeyboardEvent, MouseEvent } from 'react'
import { DOUBLE_TAP_MS } from '#app/constants.ts'
import type { ScreenAnswers } from '#app/questionnaire/answers.ts'
import type { Option, Question, Section } from '#contract/rules/questionnaire.ts'
import { useChosen, useGroup } from '#app/questionnaire/use-answers.ts'
import { isByHand, type OnChosen } from '#app/screens/assessment/questions/use-auto-advance.ts'

interface OneChoiceProps {
  section: Section
  question: Question
  answers: ScreenAnswers
  options: readonly Option[]
  look: 'pair' | 'agreement'
  onChosen: OnChosen | undefined
}

/** One question, one value: the pair of statements and the scale of agreement differ in their options and their look. */
export function OneChoice({ section, question, answers, options, look, onChosen }: OneChoiceProps) {
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
    // a second click on the selected value clears it, which a radio does not report as a change
    const written = answer(before === value ? null : value)
    // a key's click, or a screen reader's, has no count or no touch before it; who changes an answer looks at it again
    if (before === null && isTap) onChosen?.(written)
    chosenAt.current = timeStamp
  }

  return (
    <fieldset ref={fieldset} tabIndex={-1} className={`question ${look}`}>
      <legend>{question.question}</legend>
      <div
        className="choices"
        onKeyDown={(event) => onClear(event, chosen(), () => void answer(null))}
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

function onClear(event: KeyboardEvent, chosen: string | null, clear: () => void): void {
  const isChosen = event.target instanceof HTMLInputElement && event.target.value === chosen
  const isClear = event.key === 'Delete' || event.key === 'Backspace' || (event.key === ' ' && isChosen)
  if (chosen === null || !isClear) return
  event.preventDefault()
  clear()
}
