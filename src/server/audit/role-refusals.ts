import type { Deps } from '../deps.ts'
import type { Caller } from '../http/handle.ts'
import { note } from './store.ts'

/** Notes that somebody made a call which is not for their role. */
export function noteRoleRefusals({
  db,
  clock,
  limits,
}: Pick<Deps, 'db' | 'clock' | 'limits'>): (caller: Caller, call: string) => Promise<void> {
  return async (caller, call) => {
    if (await limits.take('roleRefusalsNoted', caller.userId ?? caller.kind)) return
    await note(db, { event: 'role-refused', userId: caller.userId, about: call }, clock.now())
  }
}
