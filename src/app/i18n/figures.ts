/** Times and counts as people read them. */
import { currentLanguage } from './i18n.ts'

/** An instant → "14:02" in both languages. */
export function formatTime(instant: string | number | Date): string {
  return new Date(instant).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
}

export function formatCount(count: number): string {
  return new Intl.NumberFormat(currentLanguage()).format(count)
}

/** 20 → "20%", "20 %" */
export function formatPercent(percent: number): string {
  return new Intl.NumberFormat(currentLanguage(), { style: 'percent', maximumFractionDigits: 0 }).format(percent / 100)
}
