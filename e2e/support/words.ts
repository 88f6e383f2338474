import { readdirSync, readFileSync } from 'node:fs'
import type { Language } from '#contract/languages.ts'

/** The screens' texts, so that a journey finds a button by its words in either language: `t('assessment:TestNext')`. */
export type Words = (key: string, values?: Record<string, string | number>) => string

const folder = new URL('../../locales/', import.meta.url)

/** The texts of one language by area and key. */
export function texts(language: Language): Map<string, string> {
  const files = readdirSync(new URL(`${language}/`, folder)).filter((name) => /^(?!server|mail).*\.json$/.test(name))
  return new Map(
    files.flatMap((file) => {
      const words = JSON.parse(readFileSync(new URL(`${language}/${file}`, folder), 'utf8')) as Record<string, string> // ours
      return Object.entries(words).map(([key, text]) => [`${file.replace('.json', '')}:${key}`, text] as const)
    }),
  )
}

export function wordsOf(language: Language): Words {
  const all = texts(language)
  const plural = new Intl.PluralRules(language)
  return (key, values = {}) => {
    const { count } = values
    const text = (typeof count === 'number' ? all.get(`${key}_${plural.select(count)}`) : undefined) ?? all.get(key)
    if (text === undefined) throw new Error(`There are no ${language} words for ${key}`)
    return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]))
  }
}

/** A text with any value in the place of each `ANY`. */
export function anyOf(text: string): RegExp {
  return new RegExp(text.replaceAll('ANY', '.+'))
}

/** The beginning of a text whose rest a journey does not know: `Saved to your account at {{time}}`. */
export function startOf(text: string): RegExp {
  const known = text.split(/\{\{|undefined/)[0] ?? ''
  // accessible names have plain spaces instead of French no-break spaces
  return new RegExp(`^${known.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s*')}`)
}
