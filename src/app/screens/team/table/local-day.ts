/** An instant → the reader's own day, year-month-day. '' without one. */
export function localDay(instant: string | number): string {
  if (instant === '') return ''
  const date = new Date(instant)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
