import { shown, TEAM_COLUMNS, type TeamColumn, type TeamPlayer } from './players.ts'

/** What is shown, as a file for a spreadsheet: the rows of the filter of now in their order, without the report's link. */

const BOM = '\uFEFF'

/** French spreadsheets have the comma in their numbers, and take ';'. */
const separatorOf = (language: string) => (language === 'fr' ? ';' : ',')

/** A cell that begins like a formula would be one when the file is opened: somebody else's name must not run. */
function guarded(text: string): string {
  return text !== '-' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

const quoted = (text: string) => (/[",;\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

export function teamCsv(team: readonly TeamPlayer[], headings: Record<TeamColumn, string>, language: string): string {
  const line = (cells: readonly string[]) => cells.map((cell) => quoted(guarded(cell))).join(separatorOf(language))
  const rows = team.map(({ says }) =>
    // the day alone, in the form that every spreadsheet reads
    line(TEAM_COLUMNS.map((column) => shown(column === 'date' ? localDay(says.date) : says[column]))),
  )
  return BOM + [line(TEAM_COLUMNS.map((column) => headings[column])), ...rows].join('\r\n') + '\r\n'
}

/** An instant → the reader's own day, year-month-day. */
export function localDay(instant: string | number): string {
  if (instant === '') return ''
  const date = new Date(instant)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
