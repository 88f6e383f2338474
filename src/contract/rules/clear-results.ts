/**
 * What is clear in a result: the one rule for scoring, screens, files and mails (SCORING-8). What is not clear lies _between_, and both
 * sides are shown. docs/instrument.md says how often an answer sheet filled in twice would give the same.
 */

/** Of the 11 choices of an axis. With fewer on the larger side, the axis lies between its two letters. */
export const LETTER_CLEAR_FROM = 8

/** Points on the plane of the learning styles: the error of one axis. A style that is no further from its neighbour is not clear. */
export const STYLE_ERROR = 6

interface AxisCounts {
  first: string
  second: string
  firstCount: number
  secondCount: number
}

/** The clear letter of an axis; null where it lies between the two. */
export function letterOf({ first, second, firstCount, secondCount }: AxisCounts): string | null {
  if (Math.max(firstCount, secondCount) < LETTER_CLEAR_FROM) return null
  return firstCount > secondCount ? first : second
}

type StyleAxis = 'ideaExperience' | 'doWatch'

/** The style on the other side of each axis. */
const ACROSS: Partial<Record<string, Record<StyleAxis, string>>> = {
  play: { ideaExperience: 'training', doWatch: 'view' },
  view: { ideaExperience: 'plan', doWatch: 'play' },
  plan: { ideaExperience: 'view', doWatch: 'training' },
  training: { ideaExperience: 'play', doWatch: 'plan' },
}

/** Whether a result lies between these two styles directly: across one axis. */
export function isNextStyle(nearest: string, other: string): boolean {
  return Object.values(ACROSS[nearest] ?? {}).includes(other)
}

/** The same of two types: they differ in one letter. */
export function isNextType(nearest: string, other: string): boolean {
  return [...other].filter((letter, at) => letter !== nearest[at]).length === 1
}

/** The styles that a place on the plane fits, the nearest first: one that is clear, or the two or four it lies between. */
export function stylesOf(nearest: string, axes: Record<StyleAxis, number>): string[] {
  const isOpen = (axis: StyleAxis) => Math.abs(axes[axis]) <= STYLE_ERROR
  const across = (style: string, axis: StyleAxis) => (isOpen(axis) ? [ACROSS[style]?.[axis] ?? []].flat() : [])
  const onThisSide = [nearest, ...across(nearest, 'doWatch')]
  return [...onThisSide, ...onThisSide.flatMap((style) => across(style, 'ideaExperience'))]
}

/** Whether another style is exactly as near as the nearest. Letters have no ties: an axis has an odd number of choices. */
export function isNearestTied({ ideaExperience, doWatch }: Record<StyleAxis, number>): boolean {
  return ideaExperience === 0 || doWatch === 0
}
