import { useEffect, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { noteInputKept } from '#app/parts/unkept-input.ts'
import type { OwnDraft } from './draft.ts'

/** Stores every change on the device at once, and removes the draft when it equals the saved values. Returns whether the last one is kept. */
export function useDraft<Values extends FieldValues>(subscribe: UseFormReturn<Values>['subscribe'], own: OwnDraft<Values>): boolean {
  const [isKept, setKept] = useState(true)
  useEffect(() => {
    const store = ({ values }: { values: Values }) => {
      own.change(values)
      void own.kept.then((isNowKept) => {
        setKept(isNowKept)
        noteInputKept(own, isNowKept || !own.isOpen)
      })
    }
    own.open()
    const unsubscribe = subscribe({ formState: { values: true }, callback: store })
    return () => {
      unsubscribe()
      own.close()
      noteInputKept(own, true)
    }
  }, [subscribe, own])
  return isKept
}
