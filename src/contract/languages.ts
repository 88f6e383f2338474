/** The languages people can choose. To add one: `A language` in .github/CONTRIBUTING.md. PRODUCT-9 */
const languages = {
  en: { name: 'English', csvSeparator: ',' },
  // French spreadsheets use the decimal comma
  fr: { name: 'Français', csvSeparator: ';' },
} as const satisfies Record<string, LanguageRow>

interface LanguageRow {
  /** the language's own name for itself */
  name: string
  /** the separator that its spreadsheets expect between two cells */
  csvSeparator: ',' | ';'
}

export type Language = keyof typeof languages

/** In the order they are offered. */
export const LANGUAGES = Object.keys(languages) as readonly Language[]

/** Used if a person's language is none of these, or lacks a word. */
export const FALLBACK_LANGUAGE: Language = 'en'

/** The row of a language; English's if it is none of these. */
export function rowOf(language: string): LanguageRow {
  return languages[isLanguage(language) ? language : FALLBACK_LANGUAGE]
}

export function isLanguage(text: string | null | undefined): text is Language {
  return LANGUAGES.some((one) => one === text)
}

/** A record with the result of `make` for each language. */
export function byLanguage<Value>(make: (language: Language) => Value): Record<Language, Value> {
  return Object.fromEntries(LANGUAGES.map((language) => [language, make(language)])) as Record<Language, Value> // of each, just made
}
