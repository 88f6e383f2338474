import { readFileSync } from 'node:fs'
import type { Strengths } from './players.ts'
import type { Figures } from './simulate.ts'

/** The figures of the last `npm run instrument -- --write`, from which the manual's tables and the screens' claims are checked. */

export interface Scenario {
  /** mean correlation of two questions of one scale */
  correlation: number
  /** day-to-day, in SDs of the trait */
  swing: number
  strengths: Strengths
  figures: Figures
  /** people told of a change by the bands of contract/rules/what-changed.ts, and if each axis had a band of 1.96 standard errors */
  toldChanged: number
  toldChangedAt196: number
}

export type ScenarioName = 'low' | 'assumed' | 'swing' | 'good' | 'best' | 'coin'

export interface AllFigures {
  people: number
  scenarios: Record<ScenarioName, Scenario>
  /** the smallest bands that tell at most 5 % of unchanged people of a change, in every scenario but `coin` */
  change: { multiple: number; choices: number; points: number }
  /** sheets filled in without reading */
  straightLines: { sheet: string; nearest: string; clear: string; noticed: string }[]
  /** of people who read, and of those who toss a coin: how many are noticed as not having read */
  unread: { assumed: number; best: number; coin: number }
}

export const figuresFile = new URL('figures.json', import.meta.url)

export function storedFigures(): AllFigures {
  return JSON.parse(readFileSync(figuresFile, 'utf8')) as AllFigures
}

/** Four decimals are more than the simulation is exact to. */
export function rounded(figures: AllFigures): AllFigures {
  const round = (_: string, value: unknown) => (typeof value === 'number' ? Math.round(value * 10_000) / 10_000 : value)
  return JSON.parse(JSON.stringify(figures, round)) as AllFigures
}

/** Names of figures that differ by more than a rounding of another machine's logarithms can explain. */
export function differencesOf(one: unknown, other: unknown, name = 'figures'): string[] {
  if (typeof one === 'number' && typeof other === 'number') return Math.abs(one - other) > 0.001 * Math.max(1, Math.abs(one)) ? [name] : []
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) return one === other ? [] : [name]
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...keys].flatMap((key) => differencesOf(Reflect.get(one, key), Reflect.get(other, key), `${name}.${key}`))
}
