/** How marks are stored. Not in paragraph-marks.ts, which is loaded only for players who mark. */

import type { ParagraphMark } from '#contract/rules/paragraph-marks.ts'

/** A mark as this device has it. RESULTS-19 */
export interface StoredMark extends ParagraphMark {
  /** whether the server has it */
  isSent: boolean
}

const PREFIX = 'marks/'

/** Keys of an instance's marks in the `reads` store. */
export const marksKey = (instanceId: string) => PREFIX + instanceId
export const isMarksKey = (key: string) => key.startsWith(PREFIX)
export const instanceOfMarksKey = (key: string) => key.slice(PREFIX.length)

export function isMarkList(value: unknown): value is StoredMark[] {
  return Array.isArray(value)
}

export const isUnsentMark = ({ isSent }: StoredMark) => !isSent
