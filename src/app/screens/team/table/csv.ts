import { rowOf } from '#contract/languages.ts'
import { TEAM_COLUMNS, type TeamColumn, type TeamPlayer } from '#app/screens/team/team-player.ts'
import { csvOf } from './columns.tsx'

/** The filtered rows as a CSV file, in the order on screen, without the link to the report. */

const BOM = '\uFEFF'

/** A spreadsheet runs a cell that starts like a formula, an East Asian one also with full-width signs, and names are input of other people. */
function escapeFormula(text: string): string {
  return text !== '-' && /^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text
}

const quoted = (text: string) => (/[",;\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

export function teamCsv(team: readonly TeamPlayer[], headings: Record<TeamColumn, string>, language: string): string {
  const { csvSeparator } = rowOf(language)
  const line = (cells: readonly string[]) => cells.map((cell) => quoted(escapeFormula(cell))).join(csvSeparator)
  const rows = team.map((player) => line(TEAM_COLUMNS.map((column) => csvOf(player, column))))
  return BOM + [line(TEAM_COLUMNS.map((column) => headings[column])), ...rows].join('\r\n') + '\r\n'
}
