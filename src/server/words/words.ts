import { readFileSync } from 'node:fs'
import type { ErrorCode } from '#contract/errors.ts'
import { byLanguage, FALLBACK_LANGUAGE, isLanguage, LANGUAGES, type Language } from '#contract/languages.ts'

/** The texts that the server itself sends, from `locales/`: refusals, invalid fields, mails, reports, and a few in replies. */

type Texts = Readonly<Record<string, string>>
interface Words {
  errors: Readonly<Record<ErrorCode | 'WAIT_FOR', string>>
  fields: Texts
  mail: Texts
  server: Texts
  /** for a player's report: those of the screens, and its own */
  results: Texts
  doubts: Texts
  parts: Texts
  report: Texts
}

const folder = new URL('../../../locales/', import.meta.url)

function read(language: Language, area: keyof Words): Texts {
  return JSON.parse(readFileSync(new URL(`${language}/${area}.json`, folder), 'utf8')) as Texts // our own files, tests/house reads them all
}

function wordsIn(language: Language): Words {
  // tests/house/errors.test.ts checks that every code has a text
  const errors = read(language, 'errors') as Words['errors']
  const texts = (area: keyof Words) => read(language, area)
  return {
    errors,
    fields: texts('fields'),
    mail: texts('mail'),
    server: texts('server'),
    results: texts('results'),
    doubts: texts('doubts'),
    parts: texts('parts'),
    report: texts('report'),
  }
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
