import type { AllFigures } from './figures.ts'
import type { Simulation } from './simulate.ts'

/** Of people, those that may be told of a change though nothing changed. */
const MAY_BE_TOLD = 0.05
const LETTER_AXES = 4
/** For a single axis, 5 % of unchanged people are beyond it. */
export const ONE_AXIS = 1.96

interface Bands {
  /** a larger difference is a change: in choices, in points */
  choices: number
  points: number
}

/** People with a difference beyond its band on any of the six axes. */
export function toldChanged({ differences }: Simulation, { choices, points }: Bands): number {
  const told = differences.filter((axes) => axes.some((difference, axis) => Math.abs(difference) > (axis < LETTER_AXES ? choices : points)))
  return told.length / differences.length
}

/** The same multiple of each axis's standard error of a difference, in whole choices and points. */
export function bandsAt(multiple: number, { figures }: Simulation): Bands {
  return {
    choices: Math.floor(multiple * Math.SQRT2 * figures.letters.sem),
    points: Math.floor(multiple * Math.SQRT2 * figures.style.sem),
  }
}

/** The smallest multiple with which nobody is told more often than may be, by the least exact of the simulations. */
export function changeBands(simulations: readonly Simulation[]): AllFigures['change'] {
  const errorOf = ({ figures }: Simulation) => figures.letters.sem
  const leastExact = simulations.reduce((worst, one) => (errorOf(one) > errorOf(worst) ? one : worst))
  for (let multiple = ONE_AXIS; ; multiple += 0.01) {
    const bands = bandsAt(multiple, leastExact)
    if (simulations.every((one) => toldChanged(one, bands) <= MAY_BE_TOLD)) return { multiple, ...bands }
  }
}
