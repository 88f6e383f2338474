/** The day of an instant in the reader's time zone, as year-month-day. '' if missing. */
export function localDay(instant: string | number): string {
  if (instant === '') return ''
  const date = new Date(instant)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
