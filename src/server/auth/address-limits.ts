import type { Deps } from '../deps.ts'
import { countPer, type Limit } from '../http/limits.ts'

/** Limits per address, all settings: a whole squad sits behind one club Wi-Fi (ruling 8). */

const HOUR_SECONDS = 3600
type Kind = 'starts' | 'verifies' | 'refreshes'
const limits = new WeakMap<Deps, Record<Kind, Limit>>()

function limitsOf(deps: Deps): Record<Kind, Limit> {
  const { startsPerHourPerAddress, verifiesPerHourPerAddress, refreshesPerHourPerAddress } = deps.env.limits
  const made = limits.get(deps) ?? {
    starts: countPer(HOUR_SECONDS, startsPerHourPerAddress, deps.clock),
    verifies: countPer(HOUR_SECONDS, verifiesPerHourPerAddress, deps.clock),
    refreshes: countPer(HOUR_SECONDS, refreshesPerHourPerAddress, deps.clock),
  }
  limits.set(deps, made)
  return made
}

export const startsPerAddress = (deps: Deps): Limit => limitsOf(deps).starts
export const verifiesPerAddress = (deps: Deps): Limit => limitsOf(deps).verifies
export const refreshesPerAddress = (deps: Deps): Limit => limitsOf(deps).refreshes
