import { useTranslation } from '#app/i18n/use-translation.ts'
import { chooseLanguage } from '#app/i18n/i18n.ts'
import { languages } from '#app/i18n/preferred-language.ts'

// Each in its own language, whichever is shown.
const names = { en: 'English', fr: 'Français' } as const

export function LanguageSwitch() {
  const { t, i18n } = useTranslation('shell')
  return (
    <div className="languages" role="group" aria-label={t('Language')}>
      {languages.map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-pressed={i18n.language === language}
          onClick={() => chooseLanguage(language)}
        >
          {names[language]}
        </button>
      ))}
    </div>
  )
}
