import useAutocomplete from '@mui/material/useAutocomplete'
import type { FocusEvent, ReactNode, Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { FormField } from './form-field.tsx'
import type { ControlAttributes } from './form-field.tsx'
import { fuzzyScore } from './fuzzy.ts'
import { CloseIcon } from './icons.tsx'
import styles from './searchable-select.module.css'

interface ChoiceProps {
  name: string
  label: string
  /** '' is “nothing chosen” */
  value: string
  options: readonly string[]
  /** what the list shows for a typed text */
  search: (typed: string) => readonly string[]
  /** how an option reads; itself unless told */
  labelOf?: (option: string) => string
  onChange: (value: string) => void
  onBlur?: () => void
  ref?: Ref<HTMLInputElement>
  isDisabled?: boolean
  isLoading?: boolean
  /** purpose of the field for the browser (WCAG 1.3.5) */
  autoComplete?: string
}

export interface SearchableSelectProps extends ChoiceProps {
  hint?: string | undefined
  /** words, not a key */
  error?: string | undefined
  isMandatory?: boolean
  /** below the field: a way to load the list again */
  children?: ReactNode
}

/** One choice from a long list, by typing: a combobox (APG). MUI's behaviour without its looks: no style library to load. */
export function SearchableSelect({ hint, error, isMandatory = false, children, ...choice }: SearchableSelectProps) {
  return (
    <div>
      <FormField label={choice.label} hint={hint} error={error} isMandatory={isMandatory}>
        {(control) => <Combobox {...choice} control={control} />}
      </FormField>
      {children}
    </div>
  )
}

const itself = (option: string) => option

function Combobox(props: ChoiceProps & { control: ControlAttributes }) {
  const { t } = useTranslation('ui')
  const { control, label, value, options, search, labelOf = itself, onChange, isDisabled = false, isLoading = false } = props
  const chosen = value === '' ? null : value
  const {
    getRootProps,
    getInputProps,
    getClearProps,
    getPopupIndicatorProps,
    getListboxProps,
    getOptionProps,
    setAnchorEl,
    popupOpen: isOpen,
    groupedOptions: found,
  } = useAutocomplete<string>({
    id: control.id,
    options,
    value: chosen,
    onChange: (_, option) => {
      onChange(option ?? '')
    },
    // The hook hands over a copy of the options; the search knows the list itself
    filterOptions: (_, state) => [...search(state.inputValue)],
    getOptionLabel: labelOf,
    disabled: isDisabled,
    autoHighlight: true,
    handleHomeEndKeys: true,
    blurOnSelect: 'touch',
    componentName: 'SearchableSelect',
  })
  const { ref: inputRef, onBlur, ...input } = getInputProps()

  /** Text that names an option exactly counts as chosen, so that neither autofill nor a quick Tab loses it. */
  const chooseTyped = (typed: string) => {
    if (typed === '' || typed === (chosen === null ? '' : labelOf(chosen))) return
    const exact = search(typed).find((option) => fuzzyScore(typed, labelOf(option)) === 100)
    if (exact !== undefined && exact !== value) onChange(exact)
  }

  return (
    <div className={styles.box}>
      <div {...getRootProps()} ref={setAnchorEl} className={styles.line}>
        <input
          {...input}
          {...control}
          ref={(element) => {
            give(inputRef, element)
            give(props.ref, element)
          }}
          name={props.name}
          className={`input ${styles.input}`}
          autoComplete={props.autoComplete ?? 'off'}
          onBlur={(event: FocusEvent<HTMLInputElement>) => {
            chooseTyped(event.target.value.trim())
            onBlur?.(event)
            props.onBlur?.()
          }}
        />
        {chosen !== null && !isDisabled && (
          <button {...getClearProps()} type="button" className={styles.clear} aria-label={t('ListClear', { label })}>
            <CloseIcon />
          </button>
        )}
        <button
          {...getPopupIndicatorProps()}
          type="button"
          className={styles.open}
          disabled={isDisabled}
          aria-label={t(isOpen ? 'ListClose' : 'ListOpen', { label })}
        >
          <svg aria-hidden="true" width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2">
            <path d={isOpen ? 'm6 15 6-6 6 6' : 'm6 9 6 6 6-6'} />
          </svg>
        </button>
      </div>
      {isOpen && found.length > 0 && (
        <ul {...getListboxProps()} aria-labelledby={undefined} aria-label={label} className={styles.list}>
          {found.map((option, index) => {
            const { key, ...item } = getOptionProps({ option, index })
            return (
              <li {...item} key={key} className={styles.option}>
                {labelOf(option)}
              </li>
            )
          })}
        </ul>
      )}
      {isOpen && found.length === 0 && <div className={styles.nothing}>{isLoading ? t('Loading') : t('ListNoMatches')}</div>}
      <span role="status" className="visually-hidden">
        {isOpen ? t('ListCount', { count: found.length }) : ''}
      </span>
    </div>
  )
}

function give<T>(ref: Ref<T> | undefined, value: T | null): void {
  if (typeof ref === 'function') ref(value)
  else if (ref) ref.current = value
}
