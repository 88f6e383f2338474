/** How a date reads, as date-fns writes it: "1st Jan 2026", "1er janv. 2026". WORDS-4 */
export const DATE_PATTERN = 'do MMM yyyy'

/** A date as Intl writes it, but for the French first of the month: "1er décembre", where Intl has "1 décembre". WORDS-4 */
export function dateText(date: Date, language: string, options: Intl.DateTimeFormatOptions): string {
  const parts = new Intl.DateTimeFormat(language, options).formatToParts(date)
  return parts.map(({ type, value }) => (type === 'day' && value === '1' && language === 'fr' ? '1er' : value)).join('')
}
