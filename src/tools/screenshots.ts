import { existsSync } from 'node:fs'
import { FALLBACK_LANGUAGE, type Language } from '#contract/languages.ts'

/** The pictures of the app that a browser shows before it installs it. e2e/take-screenshots.ts takes them. INSTALL-1 */

type FormFactor = 'narrow' | 'wide'

/** Of the window in CSS pixels, and how many pixels each of these has. */
export const WINDOWS: Readonly<Record<FormFactor, { width: number; height: number; scale: number }>> = {
  narrow: { width: 390, height: 844, scale: 2 },
  wide: { width: 1280, height: 960, scale: 1 },
}

interface Shot {
  formFactor: FormFactor
  screen: 'test' | 'home' | 'results' | 'team'
}

/** In the order in which browsers show them. */
export const SHOTS: readonly Shot[] = [
  { formFactor: 'narrow', screen: 'test' },
  { formFactor: 'narrow', screen: 'home' },
  { formFactor: 'narrow', screen: 'results' },
  { formFactor: 'wide', screen: 'team' },
  { formFactor: 'wide', screen: 'test' },
  { formFactor: 'wide', screen: 'results' },
]

export const SCREENSHOTS = new URL('../../public/screenshots/', import.meta.url)

export const screenshotFile = (language: Language, { formFactor, screen }: Shot) => `${language}/${formFactor}-${screen}.webp`

/** The language of the pictures: a language without any has those of English. */
export function languageOfScreenshots(language: Language): Language {
  return existsSync(new URL(`${language}/`, SCREENSHOTS)) ? language : FALLBACK_LANGUAGE
}
