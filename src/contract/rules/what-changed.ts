import type { Results } from '../instances.ts'

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

type StyleAxis = keyof Results['Section1']['axes']

/** The axes on which two results differ by more than chance explains. Only results of one content version may be compared. */
export function whatChanged(earlier: Results, later: Results): { letters: string[]; styles: StyleAxis[] } {
  const letters = later.section2.axes.filter(({ axis, firstCount }) => {
    const before = earlier.section2.axes.find((one) => one.axis === axis)
    return before !== undefined && Math.abs(firstCount - before.firstCount) > LETTER_CHANGE_ERROR
  })
  const styles = (['ideaExperience', 'doWatch'] as const).filter(
    (axis) => Math.abs(later.Section1.axes[axis] - earlier.Section1.axes[axis]) > STYLE_CHANGE_ERROR,
  )
  return { letters: letters.map(({ axis }) => axis), styles }
}
