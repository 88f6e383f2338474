import { useController } from 'react-hook-form'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { SelectField, TextField } from '#app/ui/forms/field.tsx'
import { SearchableSelect, type SearchableSelectProps } from '#app/ui/forms/searchable-select.tsx'

/** Labelled fields of the surrounding FormProvider, each with its error. PROFILE-6 */

/** Translates an error that is a key of fields.json, with `numbers` for its placeholders; the server's texts are shown as they are. */
export function useFieldMessage(numbers: Record<string, number | undefined> = {}): (message: string | undefined) => string | undefined {
  const { t, i18n } = useTranslation('fields')
  return (message) => (message !== undefined && i18n.exists(message, { ns: 'fields' }) ? t(message, numbers) : message)
}

interface ControlProps {
  /** path in the form's values */
  name: string
  label: string
  isMandatory?: boolean
}

interface TextControlProps extends ControlProps {
  hint?: string | undefined
  type?: 'text' | 'email'
  autoComplete?: string
  isReadOnly?: boolean
}

export function TextControl({
  name,
  label,
  isMandatory = false,
  hint,
  type = 'text',
  autoComplete = 'off',
  isReadOnly = false,
}: TextControlProps) {
  const { field, fieldState } = useController({ name })
  const messageOf = useFieldMessage()
  return (
    <TextField
      {...field}
      value={String(field.value)}
      label={label}
      hint={hint}
      error={messageOf(fieldState.error?.message)}
      isMandatory={isMandatory}
      type={type}
      autoComplete={autoComplete}
      isReadOnly={isReadOnly}
      input={type === 'email' ? { inputMode: 'email', autoCapitalize: 'none', spellCheck: false } : {}}
    />
  )
}

export interface Choice {
  value: string
  label: string
}

interface SelectControlProps extends ControlProps {
  choices: readonly Choice[]
  /** the label of a stored value that is not among the choices, or not yet loaded; by default the value */
  labelOf?: (value: string) => string
  /** id of an error that several fields share */
  describedBy?: string | undefined
  /** tells the browser what the field is for (WCAG 1.3.5) */
  autoComplete?: string
}

/** The platform's own select: no code to load, and best on a phone. */
export function SelectControl({
  name,
  label,
  isMandatory = false,
  choices,
  labelOf,
  describedBy,
  autoComplete = 'off',
}: SelectControlProps) {
  const { t } = useTranslation('details')
  const { field, fieldState } = useController({ name })
  const messageOf = useFieldMessage()
  const value = String(field.value)
  const isListed = value === '' || choices.some((choice) => choice.value === value)
  const error = messageOf(fieldState.error?.message)
  return (
    <SelectField
      {...field}
      value={value}
      label={label}
      error={describedBy !== undefined && error !== undefined ? '' : error}
      describedBy={describedBy}
      isMandatory={isMandatory}
      autoComplete={autoComplete}
    >
      <option value="">{t('Choose')}</option>
      {isListed ? null : <option value={value}>{labelOf?.(value) ?? value}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </SelectField>
  )
}

interface SearchControlProps extends Omit<SearchableSelectProps, 'value' | 'onChange' | 'onBlur' | 'ref' | 'error'> {
  /** called when the choice changes */
  onChosen?: () => void
}

/** A choice from a long list, which typing narrows. */
export function SearchControl({ name, onChosen, ...rest }: SearchControlProps) {
  const { field, fieldState } = useController<Record<string, string>>({ name })
  const messageOf = useFieldMessage()
  return (
    <SearchableSelect
      {...rest}
      {...field}
      value={field.value ?? ''}
      onChange={(chosen) => {
        if (chosen === field.value) return
        field.onChange(chosen)
        onChosen?.()
      }}
      error={messageOf(fieldState.error?.message)}
    />
  )
}
