import type { Deps } from '../deps.ts'
import type { Caller } from '../http/handler.ts'
import { appendAuditEntry } from './store.ts'

/** Logs a call that is not for the caller's role. */
export function noteRoleRefusals({
  db,
  clock,
  limits,
}: Pick<Deps, 'db' | 'clock' | 'limits'>): (caller: Caller, call: string) => Promise<void> {
  return async (caller, call) => {
    if (await limits.take('roleRefusalsNoted', caller.userId ?? caller.kind)) return
    await appendAuditEntry(db, { event: 'role-refused', userId: caller.userId, about: call }, clock.now())
  }
}
