import { useId } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { LANGUAGES, type Language } from '#contract/languages.ts'

interface Props {
  value: Language
  onChange: (language: Language) => void
  isDisabled?: boolean
}

/** The language of the invitation's mail, for a player without an account. */
export function AssignLanguage({ value, onChange, isDisabled = false }: Props) {
  const { t } = useTranslation('tokens')
  const id = useId()
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {t('AssignLanguage')}
      </label>
      <span id={`${id}hint`} className="field-hint">
        {t('AssignLanguageHint')}
      </span>
      <select
        id={id}
        className="input"
        aria-describedby={`${id}hint`}
        disabled={isDisabled}
        value={value}
        onChange={({ target }) => onChange(target.value as Language)} // one of the options below
      >
        {LANGUAGES.map((language) => (
          <option key={language} value={language} lang={language}>
            {new Intl.DisplayNames(language, { type: 'language' }).of(language)}
          </option>
        ))}
      </select>
    </div>
  )
}
