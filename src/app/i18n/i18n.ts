/** The texts ("words") of the screens. */
import { FALLBACK_LANGUAGE, LANGUAGES, type Language } from '#contract/languages.ts'
import i18next from 'i18next'
import type { BackendModule } from 'i18next'
import { currentLanguage, noteLanguage, startLanguage } from './current-language.ts'
import { orLost } from '#app/lost-part.ts'
import { loadWords } from './word-files.ts'

export const i18n = i18next

const chunkBackend: BackendModule = {
  type: 'backend',
  callbackApi: true,
  init: () => undefined,
  read(language, area, done) {
    loadWords(language, area).then(
      (words) => (words ? done(null, words) : done(new Error(`No words for ${language}/${area}`), false)),
      (error: Error) => done(error, true),
    )
  },
}

i18n.on('languageChanged', noteLanguage)

let started: Promise<unknown> | undefined

export async function startI18n(): Promise<void> {
  i18n.on('languageChanged', (language) => {
    document.documentElement.lang = language
  })
  started = i18n.use(chunkBackend).init({
    lng: startLanguage(),
    fallbackLng: FALLBACK_LANGUAGE,
    supportedLngs: LANGUAGES,
    ns: ['shell', 'ui'],
    defaultNS: 'ui',
    keySeparator: false,
    returnNull: false,
    interpolation: { escapeValue: false },
    parseMissingKeyHandler: textForMissingKey,
  })
  await started
}

/** Resolves to false if the page is about to reload for a lost chunk; rejects if the texts cannot be loaded. */
async function loadArea(language: Language, area: string): Promise<boolean> {
  if (i18n.hasResourceBundle(language, area)) return true
  const words = await loadWords(language, area)
  if (words) i18n.addResourceBundle(language, area, words)
  return words !== undefined
}

/**
 * Loads one area, and rejects at once if that fails. i18next would try again for ten seconds, and every area that is loaded meanwhile
 * would wait for it. Resolves to false if the page is about to reload for a lost chunk.
 */
export const loadWordsAhead = (area: string) => loadArea(currentLanguage(), area)

/** Loads the areas of a screen. Rejects with `PartNotFetched` if one has no texts in the present language: it would show their names. */
export async function loadAreas(areas: readonly string[]): Promise<void> {
  const language = currentLanguage()
  const isWhole = () => areas.every((area) => i18n.hasResourceBundle(language, area))
  await Promise.all([i18n.loadNamespaces(areas), started])
  // before it has started, i18next loads the fallback language alone
  if (!isWhole()) await i18n.loadNamespaces(areas)
  await orLost(Promise.resolve(isWhole() || undefined))
}

/** Loads the areas that were loaded so far in another language. Rejects if one cannot be: i18next would not load it again. */
export async function loadLanguage(language: Language): Promise<void> {
  const areas = [i18n.options.ns ?? []].flat()
  await Promise.all(areas.map((area) => orLost(loadArea(language, area).then((isLoaded) => isLoaded || undefined))))
}

/** For an error code the general error text, as the texts of errors may not have loaded; otherwise the key itself. */
function textForMissingKey(key: string): string {
  return /^[A-Z][A-Z_]+$/.test(key) ? i18n.t('ui:UnexpectedError') : key
}

/** Call once the first screen is drawn: the texts of errors are needed only when something fails. */
export function loadErrorWords(): Promise<void> {
  return i18n.loadNamespaces('errors')
}
