import type { Language } from '#contract/languages.ts'
import { wordsOf } from '../words/words.ts'

/** The words of a report: those of the results screen, and a few of its own in `locales/*\/report.json`. */
export interface ReportWords {
  /** @param values fill the placeholders; `count` chooses the plural form */
  say: (key: string, values?: Record<string, string | number>) => string
  list: (names: readonly string[]) => string
  date: (at: Date) => string
}

export function reportWords(language: Language): ReportWords {
  const { results, doubts, parts, report } = wordsOf(language)
  const areas = [report, results, doubts, parts]
  const plural = new Intl.PluralRules(language)
  const conjunction = new Intl.ListFormat(language, { type: 'conjunction' })
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' })

  function textOf(key: string, count: string | number | undefined): string {
    const form = typeof count === 'number' ? `${key}_${plural.select(count)}` : key
    const text = areas.map((area) => area[form] ?? area[key]).find((one) => one !== undefined)
    if (text === undefined) throw new Error(`No words for ${key} in the report`)
    return text
  }

  return {
    say: (key, values = {}) => textOf(key, values['count']).replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? '')),
    list: (names) => conjunction.format(names),
    date: (at) => date.format(at),
  }
}
