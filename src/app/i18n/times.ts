/** Formats times of day, the same in every language. */

/** An instant → "14:02". Without Intl: creating its first formatter would block a slow phone during a tap. */
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
