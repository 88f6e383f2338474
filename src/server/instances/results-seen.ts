import type { Deps } from '../deps.ts'
import type { Caller } from '../http/handler.ts'
import { storeResultsSeen } from './results-seen-store.ts'
import type { AllocatedRow, InstanceRow } from './store.ts'

/** Logs the results that a coach is about to be sent for the first time; before the reply, so that none is sent without an entry. */
export async function noteResultsSeen(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  caller: Caller,
  rows: readonly (InstanceRow | AllocatedRow)[],
): Promise<void> {
  if (caller.kind !== 'coach') return
  const unseen = rows.filter(({ instance }) => instance.status === 'COMPLETED' && instance.resultSeenAt === null)
  const ids = unseen.map(({ instance }) => instance.id)
  if (ids.length > 0) await storeResultsSeen(db, caller.userId, ids, clock.now())
}
