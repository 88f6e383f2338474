import { ASSESSMENT_ID, currentVersionOf, definitionOf } from '#server/content/content.ts'
import { bandsAt, changeBands, ONE_AXIS, toldChanged } from './change-bands.ts'
import { type AllFigures, rounded, type Scenario, type ScenarioName } from './figures.ts'
import { simulate, type Simulation } from './simulate.ts'
import { straightLines } from './straight-lines.ts'
import { strengthsFor } from './strengths.ts'
import { noticed } from './unread.ts'

export const PEOPLE = 200_000
const SEED = 2026

/** The only thing assumed that matters, and that a pilot would tell. `coin`: who answers without looking. */
const ASSUMED: Record<ScenarioName, { correlation: number; swing: number }> = {
  low: { correlation: 0.11, swing: 0 },
  assumed: { correlation: 0.15, swing: 0 },
  swing: { correlation: 0.15, swing: 0.4 },
  good: { correlation: 0.22, swing: 0 },
  best: { correlation: 0.31, swing: 0 },
  coin: { correlation: 0, swing: 0 },
}

/** All figures, from nothing; under a minute. */
export function computeFigures(): AllFigures {
  const contentVersion = currentVersionOf(ASSESSMENT_ID)
  const definition = definitionOf(contentVersion)
  const simulations = mapScenarios(({ correlation, swing }) => {
    const strengths = correlation === 0 ? { pairs: 0, rankings: 0, agreement: 0 } : strengthsFor(correlation, definition)
    return { strengths, simulation: simulate(definition, { strengths, swing }, PEOPLE, SEED) }
  })
  const players: Simulation[] = (['low', 'assumed', 'swing', 'good', 'best'] as const).map((name) => simulations[name].simulation)
  const change = changeBands(players)
  return rounded({
    people: PEOPLE,
    scenarios: mapScenarios((assumed, name): Scenario => {
      const { strengths, simulation } = simulations[name]
      return {
        ...assumed,
        strengths,
        figures: simulation.figures,
        toldChanged: toldChanged(simulation, change),
        toldChangedAt196: toldChanged(simulation, bandsAt(ONE_AXIS, simulation)),
      }
    }),
    change,
    straightLines: straightLines(contentVersion),
    unread: {
      assumed: noticed(contentVersion, simulations.assumed.strengths, SEED),
      best: noticed(contentVersion, simulations.best.strengths, SEED),
      coin: noticed(contentVersion, simulations.coin.strengths, SEED),
    },
  })
}

function mapScenarios<Value>(
  make: (assumed: { correlation: number; swing: number }, name: ScenarioName) => Value,
): Record<ScenarioName, Value> {
  const one = (name: ScenarioName) => make(ASSUMED[name], name)
  return { low: one('low'), assumed: one('assumed'), swing: one('swing'), good: one('good'), best: one('best'), coin: one('coin') }
}
