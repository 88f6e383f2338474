/** Formats counts and percentages. */
import { currentLanguage } from './current-language.ts'

const counts = new Map<string, Intl.NumberFormat>()

/** 5000 → "5,000", "5 000" */
export function formatCount(count: number): string {
  // no separator needed: avoids creating a formatter, as in times.ts
  if (Number.isInteger(count) && count >= 0 && count < 1000) return String(count)
  const language = currentLanguage()
  const format = counts.get(language) ?? new Intl.NumberFormat(language)
  counts.set(language, format)
  return format.format(count)
}

/** 20 → "20%", "20 %" */
export function formatPercent(percent: number): string {
  return new Intl.NumberFormat(currentLanguage(), { style: 'percent', maximumFractionDigits: 0 }).format(percent / 100)
}
