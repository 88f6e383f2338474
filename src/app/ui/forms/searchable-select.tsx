import Autocomplete from '@mui/material/Autocomplete'
import type { AutocompleteRenderInputParams } from '@mui/material/Autocomplete'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useEffect, useId, useRef, useState } from 'react'
import type { FocusEvent, ReactNode, Ref } from 'react'
import { LIST_COUNT_SETTLES_MS } from '#app/constants.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { FieldFrame } from './field.tsx'
import { fuzzyScore } from './fuzzy.ts'

interface ChoiceProps {
  name: string
  label: string
  /** '' if nothing is chosen */
  value: string
  options: readonly string[]
  /** the options for a typed text */
  search: (typed: string) => readonly string[]
  /** an option's label; by default the option itself */
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
  /** the text, not a translation key */
  error?: string | undefined
  isMandatory?: boolean
  /** shown below the field, such as a button to load the list again */
  children?: ReactNode
}

/** A choice from a long list, by typing: MUI's Autocomplete with the search of fuzzy.ts. */
export function SearchableSelect({ hint, error, isMandatory = false, children, ...choice }: SearchableSelectProps) {
  const id = useId()
  return (
    <div>
      <FieldFrame id={id} label={choice.label} hint={hint} error={error} isMandatory={isMandatory} isDisabled={choice.isDisabled ?? false}>
        {(describedBy) => <Combobox {...choice} id={id} describedBy={describedBy} />}
      </FieldFrame>
      {children}
    </div>
  )
}

const identity = (option: string) => option

function Combobox(props: ChoiceProps & { id: string; describedBy: string | undefined }) {
  const { t } = useTranslation('ui')
  const { id, label, value, options, search, labelOf = identity, onChange, isDisabled = false, isLoading = false } = props
  const chosen = value === '' ? null : value
  const found = useRef<readonly string[]>([])

  /** Typed text that equals an option counts as chosen, so that autofill and a quick Tab work. */
  const chooseTyped = (typed: string) => {
    if (typed === '' || typed === (chosen === null ? '' : labelOf(chosen))) return
    const exact = search(typed).find((option) => fuzzyScore(typed, labelOf(option)) === 100)
    if (exact !== undefined && exact !== value) onChange(exact)
  }

  const renderInput = ({ slotProps: { input, htmlInput } }: AutocompleteRenderInputParams) => (
    <>
      <OutlinedInput
        {...input}
        fullWidth
        id={id}
        name={props.name}
        inputRef={props.ref}
        aria-describedby={props.describedBy}
        slotProps={{
          input: {
            ...htmlInput,
            autoComplete: props.autoComplete ?? 'off',
            onBlur: (event: FocusEvent<HTMLInputElement>) => {
              chooseTyped(event.target.value.trim())
              htmlInput.onBlur?.(event)
              props.onBlur?.()
            },
          },
        }}
      />
      <ListCount count={htmlInput['aria-expanded'] === true ? found.current.length : undefined} />
    </>
  )

  return (
    <Autocomplete<string>
      id={id}
      options={options}
      value={chosen}
      onChange={(_, option) => {
        onChange(option ?? '')
      }}
      // Chromium makes a list that scrolls a stop of the Tab key, but it disappears when the field is left
      slotProps={{ listbox: { tabIndex: -1 } }}
      // not MUI's copy of the options: `search` caches by the original list
      filterOptions={(_, { inputValue }) => {
        found.current = search(inputValue)
        return [...found.current]
      }}
      getOptionLabel={labelOf}
      renderInput={renderInput}
      disabled={isDisabled}
      loading={isLoading}
      autoHighlight
      disablePortal
      blurOnSelect="touch"
      clearText={t('ListClear', { label })}
      openText={t('ListOpen', { label })}
      closeText={t('ListClose', { label })}
      loadingText={t('Loading')}
      noOptionsText={t('ListNoMatches')}
    />
  )
}

/** Announces how many options the open list shows, once typing pauses. */
function ListCount({ count }: { count: number | undefined }) {
  const { t } = useTranslation('ui')
  const [settled, setSettled] = useState<number>()
  useEffect(() => {
    const timer = setTimeout(() => setSettled(count), LIST_COUNT_SETTLES_MS)
    return () => clearTimeout(timer)
  }, [count])
  return (
    <span role="status" className="visually-hidden">
      {count === undefined || settled === undefined ? '' : t('ListCount', { count: settled })}
    </span>
  )
}
