import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'
import type { FocusEventHandler, ReactNode, Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { fuzzyScore } from './fuzzy.ts'

export interface SearchableSelectProps {
  id: string
  name: string
  label: string
  /** '' is “nothing chosen” */
  value: string
  options: readonly string[]
  /** what the list shows for a typed text; sees the very same `options` array each time */
  search: (typed: string) => readonly string[]
  /** how an option reads; itself unless told */
  labelOf?: (option: string) => string
  onChange: (value: string) => void
  onBlur?: () => void
  inputRef?: Ref<HTMLInputElement>
  error?: boolean
  helperText?: ReactNode
  required?: boolean
  disabled?: boolean
  isLoading?: boolean
  /** purpose of the field for the browser (WCAG 1.3.5) */
  autoComplete?: string
}

const itself = (option: string) => option

/**
 * One choice from a long list, by typing. Text that names an option exactly counts as chosen when the field is left,
 * so that neither autofill nor a quick Tab loses it.
 */
export function SearchableSelect(props: SearchableSelectProps) {
  const { t } = useTranslation('ui')
  const { options, search, labelOf = itself, value, onChange } = props

  const chooseTyped: FocusEventHandler<HTMLInputElement> = (event) => {
    const typed = event.target.value.trim()
    if (typed === '' || typed === (value === '' ? '' : labelOf(value))) return
    const exact = search(typed).find((option) => fuzzyScore(typed, labelOf(option)) === 100)
    if (exact !== undefined && exact !== value) onChange(exact)
  }

  return (
    <Autocomplete<string>
      id={props.id}
      options={options}
      value={value === '' ? null : value}
      onChange={(_, chosen) => {
        onChange(chosen ?? '')
      }}
      onBlur={() => props.onBlur?.()}
      // MUI hands over a copy of the options; the search knows the list itself
      filterOptions={(_, state) => [...search(state.inputValue)]}
      getOptionLabel={labelOf}
      isOptionEqualToValue={(option, chosen) => option === chosen}
      disabled={props.disabled ?? false}
      loading={props.isLoading ?? false}
      loadingText={t('ListLoading')}
      noOptionsText={t('ListNoMatches')}
      openText={t('ListOpen')}
      closeText={t('ListClose')}
      clearText={t('ListClear')}
      autoHighlight
      fullWidth
      handleHomeEndKeys
      slotProps={{
        popupIndicator: { sx: { width: 40, height: 40 } },
        clearIndicator: { sx: { width: 40, height: 40 } },
        listbox: { sx: { '& .MuiAutocomplete-option': { minHeight: 48 } } },
      }}
      renderOption={({ key, ...item }, option) => (
        <li key={key} {...item}>
          {labelOf(option)}
        </li>
      )}
      renderInput={(params) => (
        <TextField
          {...params}
          name={props.name}
          label={props.label}
          required={props.required ?? false}
          error={props.error ?? false}
          helperText={props.helperText}
          {...(props.inputRef ? { inputRef: props.inputRef } : {})}
          slotProps={{
            ...params.slotProps,
            inputLabel: { ...params.slotProps.inputLabel, shrink: true },
            htmlInput: {
              ...params.slotProps.htmlInput,
              onBlur: (event: Parameters<typeof chooseTyped>[0]) => {
                chooseTyped(event)
                params.slotProps.htmlInput.onBlur?.(event)
              },
              ...(props.autoComplete ? { autoComplete: props.autoComplete } : {}),
            },
          }}
        />
      )}
    />
  )
}
