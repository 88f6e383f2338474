import type { ResultType } from '../instances.ts'

/** What is clear in a result, in one line for headings, tables and files (RESULTS-3, TEAM-6, SCORING-8). */

type OptionalResultType = ResultType | null | undefined

/**
 * Learning style and letters joined by a space: "Scout ENFP". What is not clear is shown as both sides of the line it lies on:
 * "Scout / Keeper EN T/F P".
 * @param noClearStyle said where the style lies between all four
 * @returns '' without a result, and for one that an older app stored without saying what is clear
 */
export function resultLine(results: OptionalResultType, noClearStyle: string): string {
  if (!results?.section2.axes) return ''
  return [styleLine(results.Section1, noClearStyle), letterLine(results.section2)].filter(Boolean).join(' ')
}

/** The learning style, or both of which it lies between: "Scout / Keeper"; else `noClearStyle`. */
export function styleLine(section: Pick<ResultType['Section1'], 'styles'>, noClearStyle: string): string {
  const styles = inFixedOrder(section.styles)
  const isNamed = styles.every((style) => style.result !== '')
  return styles.length <= 2 && isNamed ? styles.map((style) => style.result).join(' / ') : noClearStyle
}

/** The styles that fit, in an order that does not tell the nearest. */
export function inFixedOrder<Style extends { value: string }>(styles: readonly Style[] = []): Style[] {
  return styles.toSorted((one, other) => (one.value < other.value ? -1 : 1))
}

/** "ENTP", or "EN T/F P" */
export function letterLine({ axes = [] }: ResultType['section2']): string {
  return axes
    .map(({ first, second, letter }) => letter ?? ` ${first}/${second} `)
    .join('')
    .replaceAll('  ', ' ')
    .trim()
}

/** The first two letters that a result lies between, as "T/F"; '' if all are clear. */
export function firstPairBetween(section: ResultType['section2']): string {
  return lettersOf(letterLine(section)).find((letters) => letters.includes('/')) ?? ''
}

/** The letters of a line, one for each axis: "E", or "T/F" between the two. */
export function lettersOf(line: string): string[] {
  return line.split(' ').flatMap((part) => (part.includes('/') ? [part] : [...part]))
}
