import type { Results } from '../instances.ts'
import { STYLE_ERROR } from './clear-results.ts'

type Axis = Results['section2']['axes'][number]
export type Mode = keyof Results['Section1']['modes']

/** How often each of two letters was chosen, and the bar that shows it. */
export interface PreferenceBar extends Axis {
  /** of both sides together */
  total: number
  /** the side chosen more often; undefined when they are even */
  leading: string | undefined
  /** how much of the bar is on the first side, 0–100 */
  firstPercent: number
}

/** One bar for each of the four pairs of letters, in the order of the result. */
export function preferenceBars(results: Results): PreferenceBar[] {
  return results.section2.axes.map((axis) => {
    const { first, second, firstCount, secondCount } = axis
    const total = firstCount + secondCount
    return {
      ...axis,
      total,
      leading: firstCount === secondCount ? undefined : firstCount > secondCount ? first : second,
      firstPercent: total === 0 ? 50 : (firstCount * 100) / total,
    }
  })
}

/** Bounds of a mode's sum: twelve groups, each rated 1 to 4. If all four modes are equal, each has 30, the midpoint. */
const MODE_MINIMUM = 12
const MODE_MAXIMUM = 48
const MODE_EVEN = 30
/** Each axis is a difference of two modes. */
export const AXIS_MAXIMUM = MODE_MAXIMUM - MODE_MINIMUM

/** The pitch, in the units of both drawings, from its centre. An axis ends at `reach`; on the centre circle all four modes are equal. */
export const PITCH = {
  halfWidth: 180,
  halfHeight: 140,
  reach: 104,
  circle: (104 * (MODE_EVEN - MODE_MINIMUM)) / AXIS_MAXIMUM,
  area: { depth: 44, half: 66 },
  spot: 8,
} as const

/** Where each mode lies on the pitch: do on the right, watch on the left, experience at the top, idea at the bottom. */
export const MODE_DIRECTIONS: readonly { mode: Mode; x: number; y: number }[] = [
  { mode: 'experience', x: 0, y: -1 },
  { mode: 'do', x: 1, y: 0 },
  { mode: 'idea', x: 0, y: 1 },
  { mode: 'watch', x: -1, y: 0 },
]

/** From the centre of the pitch, in its units; y grows downwards. */
export interface Point {
  x: number
  y: number
}

interface ModeShape {
  /** the four corners, in the order of MODE_DIRECTIONS */
  corners: Point[]
  /** the player's position on the two axes */
  spot: Point
  /** the quarters of the styles that the spot fits: one, or two; none where it lies between all four */
  quarters: (Quarter & { name: string })[]
}

interface Quarter {
  x: 1 | -1
  y: 1 | -1
}

/** Where each learning style lies on the pitch. */
const QUARTERS: Partial<Record<string, Quarter>> = {
  play: { x: 1, y: -1 },
  view: { x: -1, y: -1 },
  plan: { x: -1, y: 1 },
  training: { x: 1, y: 1 },
}

export function modeShape({ modes, axes, styles }: Results['Section1']): ModeShape {
  const { reach } = PITCH
  const corners = MODE_DIRECTIONS.map(({ mode, x, y }) => {
    const length = clamp((modes[mode] - MODE_MINIMUM) / AXIS_MAXIMUM, 0, 1) * reach
    return { x: x * length, y: y * length }
  })
  const x = clamp(axes.doWatch / AXIS_MAXIMUM, -1, 1)
  const y = clamp(axes.ideaExperience / AXIS_MAXIMUM, -1, 1)
  return {
    corners,
    spot: { x: x * reach, y: y * reach },
    quarters:
      styles.length > 2
        ? []
        : styles.flatMap(({ value, result }) => {
            const quarter = QUARTERS[value]
            return quarter ? [{ ...quarter, name: result }] : []
          }),
  }
}

/** The leading mode of each axis on which one stands out (SCORING-8). */
export function leadingModes({ ideaExperience, doWatch }: Results['Section1']['axes']): Mode[] {
  const leading = (difference: number, more: Mode, less: Mode) =>
    Math.abs(difference) <= STYLE_ERROR ? [] : [difference > 0 ? more : less]
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
