/** Formats times of day, and days as numbers, the same in every language. */

/** An instant → "14:02". Without Intl: creating its first formatter would block a slow phone during a tap. */
export function formatTime(instant: string | number | Date): string {
  const date = new Date(instant)
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
}

/** The day of an instant in the reader's time zone, as year-month-day. '' if missing. */
export function localDay(instant: string | number): string {
  if (instant === '') return ''
  const date = new Date(instant)
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
}

export function twoDigits(count: number): string {
  return String(count).padStart(2, '0')
}
