import { useId } from 'react'
import type { ComponentProps, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** What the control must carry so that label, hint and error belong to it. */
export interface ControlAttributes {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean | undefined
  'aria-required': boolean | undefined
}

interface FormFieldProps {
  label: string
  hint?: string | undefined
  /** words, not a key */
  error?: string | undefined
  isMandatory?: boolean
  children: (control: ControlAttributes) => ReactNode
}

/** A label above its control, a hint, and the error beside it. The control may be a plain input or one of MUI's (`slotProps.input`). */
export function FormField({ label, hint, error, isMandatory = false, children }: FormFieldProps) {
  const id = useId()
  const hintId = `${id}hint`
  const errorId = `${id}error`
  const described = [hint ? hintId : '', error ? errorId : ''].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
        {isMandatory && <MandatoryMark />}
      </label>
      {hint && (
        <span id={hintId} className="field-hint">
          {hint}
        </span>
      )}
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
        'aria-required': isMandatory || undefined,
      })}
      {error && (
        <span id={errorId} className="field-error" role="alert">
          {error}
        </span>
      )}
    </div>
  )
}

/** §5: mandatory markers. The control says it by aria-required. */
export function MandatoryMark() {
  const { t } = useTranslation('ui')
  return <span aria-hidden="true">{t('MandatoryMark')}</span>
}

type TextFieldProps = Omit<FormFieldProps, 'children'> & Omit<ComponentProps<'input'>, 'id'>

/** A field with a plain input: for screens that do not load MUI. */
export function PlainTextField({ label, hint, error, isMandatory = false, className = '', ...input }: TextFieldProps) {
  return (
    <FormField label={label} hint={hint} error={error} isMandatory={isMandatory}>
      {(control) => <input {...input} {...control} className={`input ${className}`} />}
    </FormField>
  )
}
