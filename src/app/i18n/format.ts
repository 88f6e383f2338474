/** Formats dates, with date-fns. Times (`times.ts`, `moments.ts`) and counts (`figures.ts`) need no date-fns. Money: `contract/rules/pricing.ts`. */
import { format } from 'date-fns/format'
import { fr } from 'date-fns/locale/fr'
import type { Locale } from 'date-fns'
import { DATE_PATTERN } from '#contract/rules/dates.ts'
import { currentLanguage } from './current-language.ts'

/** The languages that date-fns formats; for any other language Intl does. */
const DATE_LOCALES: Record<string, { locale?: Locale }> = { en: {}, fr: { locale: fr } }

/** An instant → "1st Jan 2026", "1er janv. 2026"; '-' when there is none (PROFILE-33). */
export function formatDate(instant: string | number | Date | null | undefined, language: string = currentLanguage()): string {
  if (instant === null || instant === undefined || instant === '') return '-'
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return '-'
  if (!(language in DATE_LOCALES)) return new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(date)
  return format(date, DATE_PATTERN, DATE_LOCALES[language])
}
