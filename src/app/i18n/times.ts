/** Formats times of day, and days as numbers, the same in every language. */

/** How far the clocks go back: an hour nearly everywhere, half of one on Lord Howe Island. */
const SET_BACK_MS = [3_600_000, 1_800_000]

/**
 * An instant → "14:02"; in the hour that the autumn's change of clocks repeats, "02:15 (UTC+1)". Without Intl: creating its first formatter
 * would block a slow phone during a tap.
 */
export function formatTime(instant: string | number | Date, { hasSeconds = false } = {}): string {
  const date = new Date(instant)
  const isRepeated = SET_BACK_MS.some((ms) => [-ms, ms].some((away) => wallTime(new Date(date.getTime() + away)) === wallTime(date)))
  const time = hasSeconds ? `${wallTime(date)}:${twoDigits(date.getSeconds())}` : wallTime(date)
  return isRepeated ? `${time} (UTC${offsetOf(date)})` : time
}

const wallTime = (date: Date) => `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`

/** "+1", "−2:30" */
function offsetOf(date: Date): string {
  const minutes = -date.getTimezoneOffset()
  if (minutes === 0) return ''
  const hours = Math.floor(Math.abs(minutes) / 60)
  const rest = Math.abs(minutes) % 60
  return `${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${twoDigits(rest)}`}`
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
