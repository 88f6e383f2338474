import { RETURNS_AT_ONCE, TRY_ON_RETURN_MS } from '#app/constants.ts'
import type { Phone } from './phone.ts'
import type { Tab } from './tab.ts'

const READ_TRIES = 3
/** Calls of one kind that may follow each other in a minute: on an unstable connection a read is tried three times at each reconnect that is reported. */
const CALLS_MAXIMUM = READ_TRIES * (RETURNS_AT_ONCE + 60_000 / TRY_ON_RETURN_MS)
/** On an unstable connection, waiting work is tried at each reconnect, and each failed call causes one more probe. */
const PROBES_MAXIMUM = 30
const CALLS_PER_STIMULUS = 4

/** No retry loop ignores its back-off: a minute in which nobody did anything, and nothing changed, has few calls. */
export function checkCallRates(phone: Phone, fail: (what: string) => void): void {
  for (const { calls, stimuli } of phone.opened) checkCallsPerMinute(calls, stimuli, fail)
}

function checkCallsPerMinute(calls: Tab['calls'], stimuli: readonly number[], fail: (what: string) => void): void {
  const kinds = Map.groupBy(calls, ({ path }) => path.split('?')[0] ?? path)
  for (const [path, all] of kinds) {
    const maximum = path === 'health' ? PROBES_MAXIMUM : CALLS_MAXIMUM
    let first = 0
    for (const [at, call] of all.entries()) {
      while ((all[first]?.at ?? 0) < call.at - 60_000) first += 1
      const count = at - first + 1
      if (count <= maximum) continue
      const causes = stimuli.filter((one) => one >= call.at - 90_000 && one <= call.at).length
      if (count > maximum + CALLS_PER_STIMULUS * causes) fail(`${count} calls of ${path} in a minute, with ${causes} causes`)
    }
  }
}
