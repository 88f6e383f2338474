import { readFileSync } from 'node:fs'
import type { ErrorCode } from '#contract/errors.ts'
import { byLanguage, FALLBACK_LANGUAGE, isLanguage, LANGUAGES, type Language } from '#contract/languages.ts'

/** The texts that the server itself sends, from `locales/`: refusals, invalid fields, mails, and a few in replies. */

type Texts = Readonly<Record<string, string>>
interface Words {
  errors: Readonly<Record<ErrorCode, string>>
  fields: Texts
  mail: Texts
  server: Texts
}

const folder = new URL('../../../locales/', import.meta.url)

function read(language: Language, area: keyof Words): Texts {
  return JSON.parse(readFileSync(new URL(`${language}/${area}.json`, folder), 'utf8')) as Texts // our own files, tests/house reads them all
}

function wordsIn(language: Language): Words {
  // tests/house/errors.test.ts checks that every code has a text
  const errors = read(language, 'errors') as Words['errors']
  return { errors, fields: read(language, 'fields'), mail: read(language, 'mail'), server: read(language, 'server') }
}

const words = byLanguage(wordsIn)

export function wordsOf(language: Language): Words {
  return words[language]
}

/** The language stored for a person or a mail; English if we no longer have that language. */
export function storedLanguage(stored: string | null | undefined): Language {
  return isLanguage(stored) ? stored : FALLBACK_LANGUAGE
}

/** The best of our languages for an Accept-Language header; English if none fits. */
export function languageOf(header: string | undefined): Language {
  let best: { language: Language; weight: number } | undefined
  for (const part of (header ?? '').slice(0, 200).split(',')) {
    const [range = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase())
    const language = LANGUAGES.find((one) => range === one || range.startsWith(`${one}-`))
    if (!language) continue
    const quality = parameters.find((one) => one.startsWith('q='))
    const weight = quality === undefined ? 1 : Number(quality.slice(2))
    if (weight > (best?.weight ?? 0)) best = { language, weight }
  }
  return best?.language ?? FALLBACK_LANGUAGE
}
