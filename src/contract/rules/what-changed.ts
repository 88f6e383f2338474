import type { Results } from '../instances.ts'
import type { Mode } from './result-picture.ts'
import { STYLE_ERROR } from './clear-results.ts'

/**
 * When two results of one player may be called different. Nobody answers twice alike: a difference within these bands says nothing about
 * the player. `npm run instrument` derives them: each is the same multiple of the standard error of a difference (SEM × √2), large enough
 * that of invented players whose traits are the same, at most 5 % are told of any change on any of the four axes of letters and two of the
 * learning styles, even with the day-to-day swing that docs/instrument.md assumes. A multiple of 1.96, right for one axis, would tell every
 * fifth to every third.
 */

/** Choices for one pole, of 11: only a larger difference is a change. */
export const LETTER_CHANGE_ERROR = 6

/** Points on an axis of the learning styles, −36 to 36. */
export const STYLE_CHANGE_ERROR = 23

/** The ends of each axis of the learning styles, the one of negative points first. */
const STYLE_ENDS = { ideaExperience: ['experience', 'idea'], doWatch: ['watch', 'do'] } as const satisfies Record<
  keyof Results['Section1']['axes'],
  [Mode, Mode]
>

/** An axis of letters or of learning styles on which two results differ. */
export interface Difference {
  /** both letters, or both ways of learning */
  ends: readonly [string, string]
  /** the end that the later result is nearer to than the earlier one */
  towards: string
}

interface Differences {
  /** by more than chance explains */
  changed: Difference[]
  /** opposite ends are clear, although chance explains it */
  turned: Difference[]
  /** on some other axis an end is clear in one of the two results only */
  isElseReadDifferently: boolean
}

/** How two results differ. Only results of one content version may be compared. RESULTS-13 */
export function whatDiffers(earlier: Results, later: Results): Differences {
  const axes = [...styleAxes(earlier, later), ...letterAxes(earlier, later)]
  const changed = axes.filter(({ before, now, error }) => Math.abs(now - before) > error)
  const within = axes.filter((axis) => !changed.includes(axis))
  const turned = within.filter(({ clearBefore, clearNow }) => clearBefore !== null && clearNow !== null && clearBefore !== clearNow)
  return {
    changed: changed.map(differenceOn),
    turned: turned.map(differenceOn),
    isElseReadDifferently: within.some((axis) => !turned.includes(axis) && axis.clearBefore !== axis.clearNow),
  }
}

interface ComparedAxis {
  ends: readonly [string, string]
  /** larger nearer the second end */
  before: number
  now: number
  /** of before and now */
  error: number
  /** the end that was clear, or is; null between the two */
  clearBefore: string | null
  clearNow: string | null
}

const differenceOn = ({ ends, before, now }: ComparedAxis): Difference => ({ ends, towards: ends[now > before ? 1 : 0] })

function letterAxes(earlier: Results, later: Results): ComparedAxis[] {
  return later.section2.axes.flatMap((now) => {
    const before = earlier.section2.axes.find(({ axis }) => axis === now.axis)
    if (!before) return []
    return {
      ends: [now.first, now.second],
      before: -before.firstCount,
      now: -now.firstCount,
      error: LETTER_CHANGE_ERROR,
      clearBefore: before.letter,
      clearNow: now.letter,
    }
  })
}

function styleAxes(earlier: Results, later: Results): ComparedAxis[] {
  return (['ideaExperience', 'doWatch'] as const).map((axis) => {
    const ends = STYLE_ENDS[axis]
    const [before, now] = [earlier.Section1.axes[axis], later.Section1.axes[axis]]
    const clearEnd = (points: number) => (Math.abs(points) <= STYLE_ERROR ? null : ends[points > 0 ? 1 : 0])
    return { ends, before, now, error: STYLE_CHANGE_ERROR, clearBefore: clearEnd(before), clearNow: clearEnd(now) }
  })
}
