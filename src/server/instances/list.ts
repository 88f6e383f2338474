import type { instances } from '#contract/instances.ts'
import type { Handler } from '../http/handler.ts'
import { presentSummary } from './present.ts'
import { noteResultsSeen } from './results-seen.ts'
import { listInstances, type WhoseInstances } from './store.ts'

/** A player's own, those a coach allocated, or all for the operator; somebody else's `userId` is refused with 403 (ROLES-10). */
export const list: Handler<typeof instances.list> = async ({ query, caller, language, refuse, readDb, deps }) => {
  const { userId, ...filter } = query
  if (caller.kind !== 'operator' && userId !== undefined && userId !== caller.userId) return refuse('FORBIDDEN')
  const rows = await listInstances(readDb, whoseInstances(caller, userId), filter)
  await noteResultsSeen(deps, caller, rows)
  return { data: rows.map((row) => presentSummary(row, language, caller.kind)) }
}

function whoseInstances(caller: { kind: string; userId: string | null }, asked: string | undefined): WhoseInstances {
  if (caller.userId === null) return asked === undefined ? {} : { userId: asked }
  return caller.kind === 'coach' ? { coachId: caller.userId } : { userId: caller.userId }
}
