import { useRef } from 'react'
import { useChosen, useGroup } from '#app/questionnaire/use-questionnaire.ts'
import type { Option } from '#contract/rules/questionnaire.ts'
import type { QuestionProps } from './question-props.ts'
import { noTaps, noteTouch, onChoiceClick, onChoiceKey } from './single-choice-taps.ts'

interface SingleChoiceProps extends QuestionProps {
  options: readonly Option[]
  variant: 'pair' | 'agreement'
}

/** One value per question, for pairs of statements and agreement scales: they differ only in options and variant. */
export function SingleChoice({ options, variant, ...props }: SingleChoiceProps) {
  const { question, answers } = props
  const fieldset = useChosen(useGroup(answers, question))
  const taps = useRef(noTaps())

  return (
    <fieldset ref={fieldset} tabIndex={-1} className={`question ${variant}`}>
      <legend>{question.question}</legend>
      <div
        className="choices"
        onKeyDown={(event) => onChoiceKey(props, event)}
        onPointerDown={({ nativeEvent }) => noteTouch(taps.current, nativeEvent)}
      >
        {options.map((option) => (
          <label key={option.value} className="choice">
            <input
              type="radio"
              name={question.id}
              value={option.value}
              onClick={(event) => onChoiceClick(taps.current, props, event, option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
