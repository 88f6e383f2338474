/** Formats times of day, the same in every language. */

/** An instant → "14:02". Without Intl: creating its first formatter would block a slow phone during a tap. */
export function formatTime(instant: string | number | Date): string {
  const date = new Date(instant)
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
}

export function twoDigits(count: number): string {
  return String(count).padStart(2, '0')
}
