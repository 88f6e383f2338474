import { useEffect, useRef, type ReactNode } from 'react'
import { FormProvider, useForm, type FieldValues } from 'react-hook-form'

interface Props {
  values: FieldValues
  /** field → key of `locales/en/fields.json` */
  errors?: Record<string, string>
  children: ReactNode
}

/** Around controls, which find their form by its provider. */
export function Form({ values, errors = {}, children }: Props) {
  const broken = Object.fromEntries(Object.entries(errors).map(([field, message]) => [field, { type: 'custom', message }]))
  const form = useForm({ defaultValues: values, errors: broken, shouldFocusError: false })
  return <FormProvider {...form}>{children}</FormProvider>
}

/** Around a form that is shown as it is after a press on its button. */
export function Submitted({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.querySelector('form')?.requestSubmit(), [])
  return <div ref={place}>{children}</div>
}
