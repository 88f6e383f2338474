import { FALLBACK_LANGUAGE, type Language } from './languages.ts'

/** The web app manifest in a language; the page names it as its own. docs/decisions/0048 */
export function manifestFileOf(language: Language): string {
  return language === FALLBACK_LANGUAGE ? 'manifest.webmanifest' : `manifest.${language}.webmanifest`
}
