import TextField from '@mui/material/TextField'
import { useId, type ReactNode } from 'react'
import { useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'

/** Labelled fields of the form around them (FormProvider): error in place, described, first error focused. §5 */

/** A broken rule is a key of fields.json; what the server wrote is shown as it came. */
export function useFieldMessage(): (message: string | undefined) => string | undefined {
  const { t, i18n } = useTranslation('fields')
  return (message) => (message !== undefined && i18n.exists(message, { ns: 'fields' }) ? t(message as 'FirstNameRequired') : message) // `exists` was asked
}

interface ControlProps {
  /** path in the form's values */
  name: string
  label: string
  required?: boolean
  hint?: ReactNode
}

interface TextControlProps extends ControlProps {
  type?: 'text' | 'email'
  autoComplete?: string
  readOnly?: boolean
}

export function TextControl({
  name,
  label,
  required = false,
  hint,
  type = 'text',
  autoComplete = 'off',
  readOnly = false,
}: TextControlProps) {
  const { field, fieldState } = useController({ name })
  const messageOf = useFieldMessage()
  return (
    <TextField
      id={useId()}
      name={name}
      label={label}
      type={type}
      value={field.value}
      onChange={field.onChange}
      onBlur={field.onBlur}
      inputRef={field.ref}
      required={required}
      fullWidth
      error={fieldState.invalid}
      helperText={messageOf(fieldState.error?.message) ?? hint}
      autoComplete={autoComplete}
      slotProps={{
        inputLabel: { shrink: true },
        htmlInput: { readOnly, ...(type === 'email' ? { inputMode: 'email', autoCapitalize: 'none', spellCheck: false } : {}) },
      }}
    />
  )
}

export interface Choice {
  value: string
  label: string
}

/** The platform's own select: light, and at its best on a phone. */
export function SelectControl({ name, label, required = false, hint, choices }: ControlProps & { choices: readonly Choice[] }) {
  const { t } = useTranslation('parts')
  const { field, fieldState } = useController({ name })
  const messageOf = useFieldMessage()
  const value = String(field.value)
  const isListed = value === '' || choices.some((choice) => choice.value === value)
  return (
    <TextField
      id={useId()}
      name={name}
      label={label}
      select
      value={value}
      onChange={field.onChange}
      onBlur={field.onBlur}
      inputRef={field.ref}
      required={required}
      fullWidth
      error={fieldState.invalid}
      helperText={messageOf(fieldState.error?.message) ?? hint}
      slotProps={{ inputLabel: { shrink: true }, select: { native: true } }}
    >
      <option value="">{t('Choose')}</option>
      {isListed ? null : <option value={value}>{value}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </TextField>
  )
}
