import { FALLBACK_LANGUAGE, isLanguage, LANGUAGES, type Language } from '#contract/languages.ts'
/** Words: one JSON per language and area, each a chunk of its own that the worker keeps, so that switching works offline. */
import i18next from 'i18next'
import type { BackendModule } from 'i18next'
import { remember } from '#app/remember.ts'
import { LANGUAGE_KEY, preferredLanguage } from './preferred-language.ts'

export const i18n = i18next

const files = import.meta.glob<Record<string, string>>(['/locales/*/*.json', '!/locales/*/{server,mail,start,gallery}.json'], {
  import: 'default',
})

const chunks: BackendModule = {
  type: 'backend',
  callbackApi: true,
  init: () => undefined,
  read(language, area, done) {
    const load = files[`/locales/${language}/${area}.json`]
    if (!load) return done(new Error(`No words for ${language}/${area}`), false)
    load().then(
      (words) => done(null, words),
      (error: Error) => done(error, true),
    )
  },
}

let startedIn: Language = FALLBACK_LANGUAGE

export function currentLanguage(): Language {
  return isLanguage(i18n.language) ? i18n.language : startedIn
}

export async function startWords(): Promise<void> {
  startedIn = preferredLanguage(localStorage.getItem(LANGUAGE_KEY), navigator.languages)
  i18n.on('languageChanged', (language) => {
    document.documentElement.lang = language
  })
  await i18n.use(chunks).init({
    lng: startedIn,
    fallbackLng: FALLBACK_LANGUAGE,
    supportedLngs: LANGUAGES,
    ns: ['shell', 'ui'],
    defaultNS: 'ui',
    keySeparator: false,
    returnNull: false,
    interpolation: { escapeValue: false },
    parseMissingKeyHandler: wordsInstead,
  })
}

/** The words for failures may not have come, and are wanted when things fail: their codes are nothing to show. */
export function wordsInstead(key: string): string {
  return /^[A-Z][A-Z_]+$/.test(key) ? i18n.t('ui:UnexpectedError') : key
}

/** Words for failures: wanted when something fails, so loaded once the screen is there. */
export function loadErrorWords(): Promise<void> {
  return i18n.loadNamespaces('errors')
}

export function chooseLanguage(language: Language): void {
  remember(LANGUAGE_KEY, language)
  void i18n.changeLanguage(language)
}

/** The choice made in another tab holds here too. Called once, by main. */
export function watchLanguageInOtherTabs(): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key === LANGUAGE_KEY && isLanguage(newValue)) void i18n.changeLanguage(newValue)
  })
}
