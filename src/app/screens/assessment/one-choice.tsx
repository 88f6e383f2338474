import type { KeyboardEvent } from 'react'
import type { ScreenAnswers } from '#app/offline/answers.ts'
import type { Option, Question, Section } from '#contract/rules/questionnaire.ts'
import { useChosen, useGroup } from './use-answers.ts'

interface OneChoiceProps {
  section: Section
  question: Question
  answers: ScreenAnswers
  options: readonly Option[]
  look: 'pair' | 'agreement'
}

/** One question, one value: the pair of statements and the scale of agreement differ in their options and their look. */
export function OneChoice({ section, question, answers, options, look }: OneChoiceProps) {
  const fieldset = useChosen(useGroup(answers, question))
  const chosen = () => answers.group(question)[question.id] ?? null
  const answer = (value: string | null) => void answers.answer(question, section.name, { [question.id]: value }, value !== null)

  return (
    <fieldset ref={fieldset} className={`question ${look}`}>
      <legend>{question.question}</legend>
      <div className="choices" onKeyDown={(event) => onClear(event, chosen(), () => answer(null))}>
        {options.map((option) => (
          <label key={option.value} className="choice">
            <input
              type="radio"
              name={question.id}
              value={option.value}
              // a second click on the selected value clears it, which a radio does not report as a change
              onClick={() => answer(chosen() === option.value ? null : option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function onClear(event: KeyboardEvent, chosen: string | null, clear: () => void): void {
  if (chosen === null || (event.key !== 'Delete' && event.key !== 'Backspace')) return
  event.preventDefault()
  clear()
}
