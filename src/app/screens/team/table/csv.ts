import { csvOf, TEAM_COLUMNS, type TeamColumn } from './columns.tsx'
import type { TeamPlayer } from './players.ts'

/** The table as a CSV file: the filtered rows in their order, without the report's link. */

const BOM = '\uFEFF'

/** French spreadsheets use the decimal comma, and so expect ';'. */
const separatorOf = (language: string) => (language === 'fr' ? ';' : ',')

/** A spreadsheet would run a cell that starts like a formula, and a name is somebody else's input. */
function guarded(text: string): string {
  return text !== '-' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

const quoted = (text: string) => (/[",;\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

export function teamCsv(team: readonly TeamPlayer[], headings: Record<TeamColumn, string>, language: string): string {
  const line = (cells: readonly string[]) => cells.map((cell) => quoted(guarded(cell))).join(separatorOf(language))
  const rows = team.map((player) => line(TEAM_COLUMNS.map((column) => csvOf(player, column))))
  return BOM + [line(TEAM_COLUMNS.map((column) => headings[column])), ...rows].join('\r\n') + '\r\n'
}
