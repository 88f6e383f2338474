/**
 * A player's own marks on the paragraphs of a result: which of them fit. They change nothing in the result and are the player's alone
 * (RESULTS-19). Server and device use the same rules.
 */

export const MARKS = ['like', 'partly', 'not'] as const
export type Mark = (typeof MARKS)[number]

export interface ParagraphMark {
  /** as the functions below name it */
  paragraph: string
  /** null: the player has taken the mark away */
  mark: Mark | null
  /** when the player tapped, epoch ms */
  at: number
}

/** A paragraph of the overview, or the text of a style or a type: the result's own or a neighbour's. */
export const PARAGRAPH = /^(?:overview-[1-6]|style-(?:play|view|plan|training)|type-[EI][SN][TF][JP])$/
/** six paragraphs, four styles and sixteen types */
export const PARAGRAPHS_MAXIMUM = 26

export const overviewParagraph = (index: number) => `overview-${index + 1}`
export const styleParagraph = (value: string) => `style-${value}`
export const typeParagraph = (value: string) => `type-${value}`

/** Two lists of marks as one: of each paragraph the later mark, and `theirs` if both are of the same moment. */
export function mergeMarks<Row extends ParagraphMark>(mine: readonly Row[], theirs: readonly Row[]): Row[] {
  const merged = new Map(theirs.map((row) => [row.paragraph, row]))
  for (const row of mine) {
    const other = merged.get(row.paragraph)
    if (!other || row.at > other.at) merged.set(row.paragraph, row)
  }
  return [...merged.values()]
}
