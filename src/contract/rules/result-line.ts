import type { ResultType } from '../instances.ts'

/** What stands of a result in one line, for headings, tables and files (RESULTS-3, TEAM-6, SCORING-8). */

type Given = ResultType | null | undefined

/**
 * Learning style and letters joined by a space: "Scout ENFP". What does not stand is shown as both sides of the line it lies on:
 * "Scout / Keeper EN T/F P".
 * @param noClearStyle said where the style lies between all four
 * @returns '' without a result
 */
export function resultLine(results: Given, noClearStyle: string): string {
  if (!results) return ''
  return [styleLine(results.Section1, noClearStyle), letterLine(results.section2)].filter(Boolean).join(' ')
}

export function styleLine({ result, styles = [] }: ResultType['Section1'], noClearStyle: string): string {
  if (styles.length === 0) return result
  const isNamed = styles.every((style) => style.result !== '')
  return styles.length <= 2 && isNamed ? styles.map((style) => style.result).join(' / ') : noClearStyle
}

/** "ENTP", or "EN T/F P" */
export function letterLine({ label, axes = [] }: ResultType['section2']): string {
  if (axes.length === 0) return label
  return axes
    .map(({ first, second, letter }) => letter ?? ` ${first}/${second} `)
    .join('')
    .replaceAll('  ', ' ')
    .trim()
}

/** The letters of a line, one for each axis: "E", or "T/F" between the two. */
export function lettersOf(line: string): string[] {
  return line.split(' ').flatMap((part) => (part.includes('/') ? [part] : [...part]))
}
