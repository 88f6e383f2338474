import type { Locale } from 'date-fns'
import { format } from 'date-fns/format'
import { enUS } from 'date-fns/locale/en-US'
import { fr } from 'date-fns/locale/fr'
import type { Language } from '#contract/languages.ts'
import { DATE_PATTERN } from '#contract/rules/dates.ts'
import { fillIn } from '#contract/rules/fill-in.ts'
import { wordsOf } from '../words/words.ts'

/** The words of a report: those of the results screen, and a few of its own in `locales/*\/report.json`. */
export interface ReportWords {
  /** @param values fill the placeholders; `count` chooses the plural form */
  say: (key: string, values?: Record<string, string | number>) => string
  list: (names: readonly string[]) => string
  date: (at: Date) => string
}

const DATE_LOCALES: Record<Language, Locale> = { en: enUS, fr }

export function reportWords(language: Language, timeZone = 'UTC'): ReportWords {
  const { results, doubts, parts, report } = wordsOf(language)
  const areas = [report, results, doubts, parts]
  const plural = new Intl.PluralRules(language)
  const conjunction = new Intl.ListFormat(language, { type: 'conjunction' })

  function textOf(key: string, count: string | number | undefined): string {
    const form = typeof count === 'number' ? `${key}_${plural.select(count)}` : key
    const text = areas.map((area) => area[form] ?? area[key]).find((one) => one !== undefined)
    if (text === undefined) throw new Error(`No words for ${key} in the report`)
    return text
  }

  return {
    say: (key, values = {}) => fillIn(textOf(key, values['count']), values),
    list: (names) => conjunction.format(names),
    date: (at) => format(dayIn(timeZone, at), DATE_PATTERN, { locale: DATE_LOCALES[language] }),
  }
}

/** The day of an instant in a time zone, as a day of the server's own: date-fns knows no other. */
function dayIn(timeZone: string, at: Date): Date {
  const parts = dayFormat(timeZone).formatToParts(at)
  const part = (wanted: string) => Number(parts.find(({ type }) => type === wanted)?.value)
  return new Date(part('year'), part('month') - 1, part('day'))
}

function dayFormat(timeZone: string): Intl.DateTimeFormat {
  const day = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
  try {
    return new Intl.DateTimeFormat('en-US', { ...day, timeZone })
  } catch {
    // a browser may know a zone that is newer than this server
    return new Intl.DateTimeFormat('en-US', { ...day, timeZone: 'UTC' })
  }
}
