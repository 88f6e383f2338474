import { readFileSync } from 'node:fs'
import type { Language } from '#contract/languages.ts'
import { AREAS } from './claims.ts'

/** The texts that may speak of certainty, by `area:key`. */
export function textsOf(language: Language): Record<string, string> {
  return Object.fromEntries(
    Object.entries(AREAS).flatMap(([area, keys]) => {
      const file = new URL(`../../../locales/${language}/${area}.json`, import.meta.url)
      const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
      return Object.entries(texts)
        .filter(([key]) => keys.test(key))
        .map(([key, text]) => [`${area}:${key}`, text])
    }),
  )
}
