import { FALLBACK_LANGUAGE, isLanguage, type Language } from '#contract/languages.ts'
import { LANGUAGE_KEY, preferredLanguage, SHOWN_LANGUAGE_KEY } from './preferred-language.ts'

/** The language of the page, which is known before i18next has loaded (i18n.ts follows it from then on). */

let current: Language = FALLBACK_LANGUAGE

export const currentLanguage = (): Language => current

/** The language that this tab showed last, or that was chosen on this device, else the browser's. */
export function startLanguage(): Language {
  current = preferredLanguage(sessionStorage.getItem(SHOWN_LANGUAGE_KEY) ?? localStorage.getItem(LANGUAGE_KEY), navigator.languages)
  document.documentElement.lang = current
  return current
}

export function setCurrentLanguage(language: string): void {
  if (isLanguage(language)) current = language
}
