/** Times and counts as people read them. */
import { currentLanguage } from './i18n.ts'

let time: Intl.DateTimeFormat | undefined

/** An instant → "14:02" in both languages. */
export function formatTime(instant: string | number | Date): string {
  // Made once: it takes a millisecond on a phone, and is wanted at every tap of the questionnaire.
  time ??= new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
  return time.format(new Date(instant))
}

const counts = new Map<string, Intl.NumberFormat>()

/** 5000 → "5,000", "5 000" */
export function formatCount(count: number): string {
  const language = currentLanguage()
  // as above
  const format = counts.get(language) ?? new Intl.NumberFormat(language)
  counts.set(language, format)
  return format.format(count)
}

/** 20 → "20%", "20 %" */
export function formatPercent(percent: number): string {
  return new Intl.NumberFormat(currentLanguage(), { style: 'percent', maximumFractionDigits: 0 }).format(percent / 100)
}
