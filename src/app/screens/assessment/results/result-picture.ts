import type { Results } from '#contract/instances.ts'

type Axis = Results['section2']['axes'][number]
export type Mode = keyof Results['Section1']['modes']

export interface PreferenceBar {
  axis: string
  first: string
  second: string
  /** whole percent; the two always make 100 */
  firstPercent: number
  secondPercent: number
  /** the letter chosen more often; undefined when they are even */
  leading: string | undefined
  strength: Axis['strength']
  isCloseCall: boolean
}

export function preferenceBars(results: Results): PreferenceBar[] {
  return results.section2.axes.map((axis) => {
    const all = axis.firstCount + axis.secondCount
    const firstPercent = all === 0 ? 50 : Math.round((axis.firstCount * 100) / all)
    return {
      axis: axis.axis,
      first: axis.first,
      second: axis.second,
      firstPercent,
      secondPercent: 100 - firstPercent,
      leading: axis.firstCount === axis.secondCount ? undefined : axis.firstCount > axis.secondCount ? axis.first : axis.second,
      strength: axis.strength,
      isCloseCall: axis.closeCall,
    }
  })
}

/** Bounds of a mode's sum: twelve groups, each rated 1 to 4. If all four modes are equal, each has 30, the midpoint. */
export const MODE_MINIMUM = 12
export const MODE_MAXIMUM = 48
export const MODE_EVEN = 30
/** Each axis is a difference of two modes. */
const AXIS_MAXIMUM = MODE_MAXIMUM - MODE_MINIMUM

/** Where each mode lies on the pitch: do on the right, watch on the left, experience at the top, idea at the bottom. */
export const MODE_DIRECTIONS: readonly { mode: Mode; x: number; y: number }[] = [
  { mode: 'experience', x: 0, y: -1 },
  { mode: 'do', x: 1, y: 0 },
  { mode: 'idea', x: 0, y: 1 },
  { mode: 'watch', x: -1, y: 0 },
]

export interface Point {
  x: number
  y: number
}

interface ModeShape {
  /** the four corners, in the order of MODE_DIRECTIONS */
  corners: Point[]
  /** the player's position on the two axes */
  spot: Point
  /** the quarter of the pitch that contains the spot; undefined where the spot is on an axis */
  quarter: { x: 1 | -1; y: 1 | -1 } | undefined
}

/** @param reach distance from the centre to the ends of the axes, in the drawing's units */
export function modeShape({ modes, axes }: Results['Section1'], reach: number): ModeShape {
  const corners = MODE_DIRECTIONS.map(({ mode, x, y }) => {
    const length = clamp((modes[mode] - MODE_MINIMUM) / AXIS_MAXIMUM, 0, 1) * reach
    return { x: x * length, y: y * length }
  })
  const x = clamp(axes.doWatch / AXIS_MAXIMUM, -1, 1)
  const y = clamp(axes.ideaExperience / AXIS_MAXIMUM, -1, 1)
  return {
    corners,
    spot: { x: x * reach, y: y * reach },
    quarter: x === 0 || y === 0 ? undefined : { x: x > 0 ? 1 : -1, y: y > 0 ? 1 : -1 },
  }
}

/** The leading mode of each axis; none for an axis whose two modes are even. */
export function leadingModes({ ideaExperience, doWatch }: Results['Section1']['axes']): Mode[] {
  const leading = (difference: number, more: Mode, less: Mode) => (difference === 0 ? [] : [difference > 0 ? more : less])
  return [...leading(ideaExperience, 'idea', 'experience'), ...leading(doWatch, 'do', 'watch')]
}

/** The overview's paragraphs are separated by newlines. RESULTS-4 */
export function paragraphsOf(content: string): string[] {
  return content
    .split('\n')
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}
