import { FALLBACK_LANGUAGE, isLanguage, type Language } from '#contract/languages.ts'

/** Local storage key of the chosen language. WORDS-1 */
export const LANGUAGE_KEY = 'language'

/** The stored choice, else the first of the browser's languages that the portal has, else English. */
export function preferredLanguage(stored: string | null, browser: readonly string[]): Language {
  if (isLanguage(stored)) return stored
  return browser.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? FALLBACK_LANGUAGE
}
