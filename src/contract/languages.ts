/** The languages there are words in, as people choose them. A further one is a row here and its words. PRODUCT-9 */
const languages = {
  en: { name: 'English', csvSeparator: ',' },
  // French spreadsheets use the decimal comma
  fr: { name: 'Français', csvSeparator: ';' },
} as const satisfies Record<string, LanguageRow>

interface LanguageRow {
  /** in the language itself */
  name: string
  /** what its spreadsheets expect between two cells */
  csvSeparator: ',' | ';'
}

export type Language = keyof typeof languages

/** In the order they are offered. */
export const LANGUAGES = Object.keys(languages) as readonly Language[]

/** Stands in where a person's language is none of these, or lacks a word. */
export const FALLBACK_LANGUAGE: Language = 'en'

/** English's for a language that is none of these. */
export function rowOf(language: string): LanguageRow {
  return languages[isLanguage(language) ? language : FALLBACK_LANGUAGE]
}

export function isLanguage(text: string | null | undefined): text is Language {
  return LANGUAGES.some((one) => one === text)
}

/** The same made for each language. */
export function byLanguage<Value>(make: (language: Language) => Value): Record<Language, Value> {
  return Object.fromEntries(LANGUAGES.map((language) => [language, make(language)])) as Record<Language, Value> // of each, just made
}
