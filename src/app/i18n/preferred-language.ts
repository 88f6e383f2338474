import { FALLBACK_LANGUAGE, isLanguage, type Language } from '#contract/languages.ts'

/** Local storage key of the chosen language. WORDS-1 */
export const LANGUAGE_KEY = 'language'

/**
 * Session storage key of the language that this tab shows until the texts of the chosen one have arrived: a page that reloads meanwhile, or
 * for them, begins in it.
 */
export const SHOWN_LANGUAGE_KEY = 'shownLanguage'

/** The stored choice, else the first of the browser's languages that the portal has, else English. */
export function preferredLanguage(stored: string | null, browser: readonly string[]): Language {
  if (isLanguage(stored)) return stored
  return browser.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? FALLBACK_LANGUAGE
}
