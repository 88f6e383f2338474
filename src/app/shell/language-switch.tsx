import { useTranslation } from '#app/i18n/use-translation.ts'
import { chooseLanguage } from './chosen-language.ts'
import { LANGUAGES, rowOf } from '#contract/languages.ts'

export function LanguageSwitch() {
  const { t, i18n } = useTranslation('shell')
  return (
    <div className="languages" role="group" aria-label={t('Language')}>
      {LANGUAGES.map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-pressed={i18n.language === language}
          onClick={() => void chooseLanguage(language)}
        >
          {rowOf(language).name}
        </button>
      ))}
    </div>
  )
}
