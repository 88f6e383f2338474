import { useEffect, useEffectEvent, useRef, useState, type ReactNode, type SyntheticEvent } from 'react'
import { TEAM_CHOICE_SETTLES_MS } from '#app/constants.ts'

/** Cells edited in place. They are always inputs, so that they keep the focus, but look like text until hovered. TEAM-9 */

interface CellProps {
  label: string
  value: string
  /** id of the reason why it cannot be edited now; the field stays focusable, to announce the reason */
  reasonId: string | undefined
  /** called on an attempt to edit it while it cannot be edited */
  onAsk: () => void
  onSave: (value: string) => void
}

/**
 * A row goes away without a blur when the list is read again, and so does the page when it is left or loaded anew: what is typed or chosen is
 * saved as on leaving the cell. TEAM-12
 */
function useSaveOnRemoval(save: () => void, isEdited: boolean) {
  const saveLast = useEffectEvent(save)
  useEffect(() => () => saveLast(), [])
  useEffect(() => {
    if (!isEdited) return
    const saveOnLeaving = () => saveLast()
    addEventListener('pagehide', saveOnLeaving)
    return () => removeEventListener('pagehide', saveOnLeaving)
  }, [isEdited])
}

/** A text field: Enter and leaving it save, Escape discards what was typed. */
export function TeamText({ label, value, reasonId, onAsk, onSave }: CellProps) {
  const isUnavailable = reasonId !== undefined
  const [draft, setDraft] = useState<string>()

  const save = () => {
    const text = draft?.trim()
    setDraft(undefined)
    if (text !== undefined && text !== value) onSave(text)
  }
  useSaveOnRemoval(save, draft !== undefined)
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
        // Enter may only accept an input method's suggestion
        if (key === 'Enter' && !nativeEvent.isComposing) save()
        if (key === 'Escape') setDraft(undefined)
      }}
    />
  )
}

/** A select's options, rendered once for all rows. */
export interface TeamChoices {
  values: readonly string[]
  options: ReactNode
  wordOf: (value: string) => string
}

/** '' is the empty choice. */
export function teamChoices(values: readonly string[], wordOf: (value: string) => string): TeamChoices {
  const options = values.map((value) => (
    <option key={value} value={value}>
      {value === '' ? '-' : wordOf(value)}
    </option>
  ))
  return { values, options, wordOf }
}

interface SelectProps extends CellProps {
  choices: TeamChoices
}

/** Saves a choice at once. Arrow keys pass through choices, so theirs is saved after a pause or on leaving the field. */
export function TeamSelect({ label, value, reasonId, onAsk, onSave, choices }: SelectProps) {
  const isUnavailable = reasonId !== undefined
  const [draft, setDraft] = useState<string>()
  const isByKey = useRef(false)

  const save = () => {
    setDraft(undefined)
    if (draft !== undefined && draft !== value) onSave(draft)
  }
  useSaveOnRemoval(save, draft !== undefined)
  const saveAfterPause = useEffectEvent(save)
  useEffect(() => {
    if (draft === undefined) return
    const timer = setTimeout(saveAfterPause, TEAM_CHOICE_SETTLES_MS)
    return () => clearTimeout(timer)
  }, [draft])
  // some platforms open the list anyway: the controlled value then undoes the choice
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
      onChange={({ currentTarget }) => {
        setDraft(isByKey.current ? currentTarget.value : undefined)
        if (!isByKey.current) onSave(currentTarget.value)
      }}
    >
      {!choices.values.includes(value) && <option value={value}>{choices.wordOf(value)}</option>}
      {choices.options}
    </select>
  )
}
