import { useId } from 'react'
import type { ComponentProps } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'

interface PlainTextFieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  label: string
  hint?: string | undefined
  /** the text, not a translation key */
  error?: string | undefined
  isMandatory?: boolean
}

/** A plain input with a label, a hint and an error, for screens that do not load MUI. */
export function PlainTextField({ label, hint, error, isMandatory = false, className = '', ...input }: PlainTextFieldProps) {
  const { t } = useTranslation('ui')
  const id = useId()
  const hintId = `${id}hint`
  const errorId = `${id}error`
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
        {isMandatory && <span aria-hidden="true">{t('MandatoryMark')}</span>}
      </label>
      {hint && (
        <span id={hintId} className="field-hint">
          {hint}
        </span>
      )}
      <input
        {...input}
        id={id}
        className={`input ${className}`}
        aria-describedby={[hint && hintId, error && errorId].filter(Boolean).join(' ') || undefined}
        aria-invalid={error ? true : undefined}
        aria-required={isMandatory || undefined}
      />
      {error && (
        <span id={errorId} className="field-error" role="alert">
          {error}
        </span>
      )}
    </div>
  )
}
