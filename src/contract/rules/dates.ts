/** How a date reads, as date-fns writes it: "1st Jan 2026", "1er janv. 2026". WORDS-4 */
export const DATE_PATTERN = 'do MMM yyyy'

const ORDINALS: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }

/** A day as DATE_PATTERN has it, by Intl, where date-fns is not loaded. WORDS-4 */
export function shortDay(date: Date, language: string): string {
  if (language !== 'en') return dateText(date, language, { day: 'numeric', month: 'short', year: 'numeric' })
  const part = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-US', options).format(date)
  const day = part({ day: 'numeric' })
  const ordinal = ORDINALS[new Intl.PluralRules('en-US', { type: 'ordinal' }).select(Number(day))] ?? 'th'
  return `${day}${ordinal} ${part({ month: 'short' })} ${part({ year: 'numeric' })}`
}

/** A date as Intl writes it, but for the French first of the month: "1er décembre", where Intl has "1 décembre". WORDS-4 */
export function dateText(date: Date, language: string, options: Intl.DateTimeFormatOptions): string {
  const parts = new Intl.DateTimeFormat(language, options).formatToParts(date)
  return parts.map(({ type, value }) => (type === 'day' && value === '1' && language === 'fr' ? '1er' : value)).join('')
}

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

/** That many times 24 hours earlier, unlike date-fns' subDays, which counts days of the local calendar. */
export const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS)
