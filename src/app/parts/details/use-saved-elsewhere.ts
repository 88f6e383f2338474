import { useEffect, useEffectEvent } from 'react'
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form'
import type { Edits, Saved } from './edits.ts'
import { focusedField } from './focused-field.ts'
import { changedParts } from './merge.ts'
import { COUNTRY_AND_CITY } from './same-values.ts'

/** What other tabs and devices save while a form is open. */
export interface SavedElsewhere<Values> {
  /** Shows it where nothing was typed, but for the field that has the focus: it must not change under the fingers. */
  takeOver: (saved: Saved<Values>, focus: Element | null) => void
  /** Teams and a birth date: two devices may each change a part, and the whole is saved, so only once it is merged. */
  hasOwnParts: (name: string) => boolean
}

/** @param start the details as they are stored now: taken over whenever they change */
export function useSavedElsewhere<Values extends FieldValues, Output>(
  form: UseFormReturn<Values, unknown, Output>,
  edits: Edits<Values>,
  start: Saved<Values>,
): SavedElsewhere<Values> {
  const { isSubmitting } = form.formState
  const hasOwnParts = (name: string) => hasParts(edits.saved[name])

  /** Part by part, as a list that is set as a whole is drawn anew, and loses the focus. */
  const setField = (name: string, present: unknown, value: unknown) => {
    if (JSON.stringify(present) === JSON.stringify(value)) return
    if (hasParts(present) && hasParts(value) && Object.keys(present).length === Object.keys(value).length)
      for (const [part, one] of Object.entries(value)) setField(`${name}.${part}`, present[part], one)
    else {
      form.setValue(name as Path<Values>, value as PathValue<Values, Path<Values>>) // the form's own names and values
      form.clearErrors(name as Path<Values>)
    }
  }

  const takeOver = (saved: Saved<Values>, focus: Element | null) => {
    // the form's own objects change as fields are set
    const typed = structuredClone(form.getValues())
    const next = edits.mergedWith(saved.values, typed)
    const focused = focusedField(focus)
    const fields = COUNTRY_AND_CITY.includes(focused) ? COUNTRY_AND_CITY : [focused]
    const waits = Object.keys(changedParts(next, typed)).filter((name) => fields.includes(name))
    const waitingOf = (values: Values) => Object.fromEntries(waits.map((name) => [name, values[name]]))
    const known = {
      values: { ...saved.values, ...waitingOf(edits.saved) },
      version: waits.some(hasOwnParts) ? edits.version : saved.version,
    }
    // before the form has them, or they would be stored as a draft
    edits.noteSavedElsewhere(known, waits.length > 0 ? saved : undefined)
    for (const [name, value] of Object.entries({ ...next, ...waitingOf(typed) })) setField(name, typed[name], value)
  }

  // what is taken over while a save is under way would look as if it had been typed since
  const takeOverStart = useEffectEvent(() => (isSubmitting ? edits.defer(start) : takeOver(start, document.activeElement)))
  const startText = JSON.stringify(start)
  useEffect(() => takeOverStart(), [startText])

  return { takeOver, hasOwnParts }
}

const hasParts = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
