import { useEffect, useRef, type ReactNode } from 'react'
import { FormProvider, set, useForm, type FieldErrors, type FieldValues } from 'react-hook-form'

interface Props {
  values: FieldValues
  /** path of the field → the key of its error in `locales/en/fields.json` */
  errors?: Record<string, string>
  children: ReactNode
}

/** Provides the form that the controls of `parts/details` need. */
export function Form({ values, errors = {}, children }: Props) {
  const fieldErrors: FieldErrors = {}
  for (const [path, message] of Object.entries(errors)) set(fieldErrors, path, { type: 'custom', message })
  const form = useForm({ defaultValues: values, errors: fieldErrors, shouldFocusError: false })
  return <FormProvider {...form}>{children}</FormProvider>
}

/** Submits the form in it at once, to show its state after that. */
export function Submitted({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.querySelector('form')?.requestSubmit(), [])
  return <div ref={place}>{children}</div>
}
