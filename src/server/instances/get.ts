import type { instances } from '#contract/instances.ts'
import type { Handler } from '../http/handle.ts'
import { presentInstance } from './present.ts'
import { noteResultsSeen } from './results-seen.ts'
import { findInstance, readGroups } from './store.ts'

export const get: Handler<typeof instances.get> = async ({ params, caller, language, refuse, deps }) => {
  const isPlayer = caller.kind === 'player'
  const row = await findInstance(deps.db, params.instanceId, isPlayer ? { userId: caller.userId } : { coachId: caller.userId })
  if (!row) return refuse('NOT_FOUND')
  await noteResultsSeen(deps, caller, [row])
  return presentInstance(row, isPlayer ? await readGroups(deps.db, row.instance.id) : [], language, isPlayer ? 'player' : 'coach')
}
