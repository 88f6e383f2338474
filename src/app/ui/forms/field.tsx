import FormControl from '@mui/material/FormControl'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import NativeSelect from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useId } from 'react'
import type { ChangeEvent, InputHTMLAttributes, ReactNode, Ref } from 'react'

/** Fields assembled from MUI's parts: MUI's own TextField would also load its select menu, which is not used. */

interface FieldProps {
  label: string
  hint?: string | undefined
  /** the text, not a translation key; '' if several fields share a message at `describedBy` */
  error?: string | undefined
  /** id of a further description */
  describedBy?: string | undefined
  isMandatory?: boolean
}

interface FrameProps extends FieldProps {
  id: string
  isDisabled?: boolean
  children: (describedBy: string | undefined) => ReactNode
}

/** Label, hint and error of a control. `children` gets the ids for its aria-describedby. */
export function FieldFrame({ id, label, hint, error, describedBy, isMandatory = false, isDisabled = false, children }: FrameProps) {
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  return (
    <FormControl fullWidth required={isMandatory} error={error !== undefined} disabled={isDisabled}>
      <FormLabel id={`${id}-label`} htmlFor={id}>
        {label}
      </FormLabel>
      {hint && (
        <FormHelperText id={hintId} error={false}>
          {hint}
        </FormHelperText>
      )}
      {children([hint && hintId, error && errorId, describedBy].filter(Boolean).join(' ') || undefined)}
      {error && (
        <FormHelperText id={errorId} role="alert">
          {error}
        </FormHelperText>
      )}
    </FormControl>
  )
}

interface ControlProps extends FieldProps {
  name: string
  value: string
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) => void
  onBlur: () => void
}

interface TextFieldProps extends ControlProps {
  ref?: Ref<HTMLInputElement>
  type?: 'text' | 'email'
  autoComplete?: string
  isReadOnly?: boolean
  /** further attributes of the input */
  input?: InputHTMLAttributes<HTMLInputElement>
}

export function TextField({ label, hint, error, isMandatory = false, ref, isReadOnly = false, input, ...control }: TextFieldProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} isMandatory={isMandatory}>
      {(describedBy) => (
        <OutlinedInput {...control} id={id} inputRef={ref} readOnly={isReadOnly} aria-describedby={describedBy} slotProps={{ input }} />
      )}
    </FieldFrame>
  )
}

interface SelectFieldProps extends ControlProps {
  ref?: Ref<HTMLSelectElement>
  autoComplete?: string
  /** the options */
  children: ReactNode
}

/** A native select in MUI's frame: small to load, and easiest on a phone. */
export function SelectField({ label, hint, error, describedBy, isMandatory = false, ref, children, ...control }: SelectFieldProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} describedBy={describedBy} isMandatory={isMandatory}>
      {(described) => (
        <NativeSelect {...control} inputRef={ref} input={<OutlinedInput id={id} aria-describedby={described} />}>
          {children}
        </NativeSelect>
      )}
    </FieldFrame>
  )
}
