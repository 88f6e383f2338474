/** Formats times, counts and percentages. */
import { currentLanguage } from './i18n.ts'

/** An instant → "14:02" in every language. Without Intl: creating its first formatter would block a slow phone during a tap. */
export function formatTime(instant: string | number | Date): string {
  const date = new Date(instant)
  return clock(date.getHours(), date.getMinutes())
}

/** "14:02:37", where what happens twice in a minute must look different */
export function formatSecond(instant: number): string {
  const date = new Date(instant)
  return clock(date.getHours(), date.getMinutes(), date.getSeconds())
}

const clock = (...parts: number[]) => parts.map((part) => String(part).padStart(2, '0')).join(':')

const counts = new Map<string, Intl.NumberFormat>()

/** 5000 → "5,000", "5 000" */
export function formatCount(count: number): string {
  // no separator needed: avoids creating a formatter, as in formatTime
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
