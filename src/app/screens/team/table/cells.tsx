import { useEffect, useEffectEvent, useRef, useState, type ReactNode, type SyntheticEvent } from 'react'
import { TEAM_CHOICE_SETTLES_MS } from '#app/constants.ts'

/** Cells edited in place. They are always inputs, so that the focus stays, and look like text until hovered. TEAM-9 */

interface CellProps {
  label: string
  value: string
  /** why it cannot be changed now: it stays focusable and says so */
  reasonId: string | undefined
  /** an attempt to edit although it cannot be changed */
  onAsk: () => void
  onSave: (value: string) => void
}

/** Enter and leaving the field save; Escape discards what was typed. */
export function TeamText({ label, value, reasonId, onAsk, onSave }: CellProps) {
  const isUnavailable = reasonId !== undefined
  const [draft, setDraft] = useState<string>()

  const save = () => {
    const text = draft?.trim()
    setDraft(undefined)
    if (text !== undefined && text !== value) onSave(text)
  }
  return (
    <input
      className="input team-cell"
      aria-label={label}
      autoComplete="off"
      enterKeyHint="done"
      maxLength={100}
      placeholder="-"
      value={draft ?? value}
      readOnly={isUnavailable}
      aria-disabled={isUnavailable || undefined}
      aria-describedby={reasonId}
      onChange={({ currentTarget }) => setDraft(currentTarget.value)}
      onBlur={save}
      onMouseDown={() => isUnavailable && onAsk()}
      onKeyDown={({ key, nativeEvent }) => {
        // Enter that only accepts a keyboard suggestion does not count
        if (key === 'Enter' && !nativeEvent.isComposing) save()
        if (key === 'Escape') setDraft(undefined)
      }}
    />
  )
}

/** A select's options, made once for all rows. */
export interface TeamChoices {
  values: readonly string[]
  options: ReactNode
  wordOf: (value: string) => string
}

/** '' is none */
export function teamChoices(values: readonly string[], wordOf: (value: string) => string): TeamChoices {
  const options = values.map((value) => (
    <option key={value} value={value}>
      {value === '' ? '-' : wordOf(value)}
    </option>
  ))
  return { values, options, wordOf }
}

interface SelectProps extends CellProps {
  /** whose row it is: the cell is reused when another player moves to this row */
  instanceId: string
  choices: TeamChoices
}

/** Saves a choice at once; with arrow keys, which change it at every step, once they pause or the field is left. */
export function TeamSelect({ instanceId, label, value, reasonId, onAsk, onSave, choices }: SelectProps) {
  const isUnavailable = reasonId !== undefined
  const [chosen, setChosen] = useState<{ instanceId: string; value: string }>()
  const draft = chosen?.instanceId === instanceId ? chosen.value : undefined
  const isByKey = useRef(false)

  const save = () => {
    setChosen(undefined)
    if (draft !== undefined && draft !== value) onSave(draft)
  }
  const settle = useEffectEvent(save)
  useEffect(() => {
    if (draft === undefined) return
    const timer = setTimeout(settle, TEAM_CHOICE_SETTLES_MS)
    return () => clearTimeout(timer)
  }, [draft])
  // where a platform opens the list anyway, the choice is undone
  const refuse = (event: SyntheticEvent<HTMLSelectElement>) => {
    event.preventDefault()
    event.currentTarget.focus()
    onAsk()
  }
  return (
    <select
      className="input team-cell"
      aria-label={label}
      value={draft ?? value}
      aria-disabled={isUnavailable || undefined}
      aria-describedby={reasonId}
      onMouseDown={(event) => {
        isByKey.current = false
        if (isUnavailable) refuse(event)
      }}
      onKeyDown={(event) => {
        // Enter accepts the highlighted option of an open list
        isByKey.current = event.key !== 'Enter'
        if (isUnavailable && event.key !== 'Tab') refuse(event)
      }}
      onBlur={save}
      onChange={({ currentTarget }) =>
        isByKey.current ? setChosen({ instanceId, value: currentTarget.value }) : onSave(currentTarget.value)
      }
    >
      {!choices.values.includes(value) && <option value={value}>{choices.wordOf(value)}</option>}
      {choices.options}
    </select>
  )
}
