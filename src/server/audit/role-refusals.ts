import type { Deps } from '../deps.ts'
import type { Caller } from '../http/handle.ts'
import { countPer } from '../http/limits.ts'
import { note } from './store.ts'

/** So many an hour of one caller tell what goes on; more would only fill the log. */
const NOTED_PER_HOUR = 20

/** Notes that somebody made a call which is not for their role. */
export function noteRoleRefusals({ db, clock }: Pick<Deps, 'db' | 'clock'>): (caller: Caller, call: string) => Promise<void> {
  const limit = countPer(3600, NOTED_PER_HOUR, clock)
  return async (caller, call) => {
    if (limit(caller.userId ?? caller.kind)) return
    await note(db, { event: 'role-refused', userId: caller.userId, about: call }, clock.now())
  }
}
