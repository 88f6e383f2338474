import type { instances } from '#contract/instances.ts'
import type { HandlerInput, Handler } from '../http/handler.ts'
import { fileSealOf } from './file-seal.ts'
import { presentInstance } from './present.ts'
import { noteResultsSeen } from './results-seen.ts'
import { findInstance, findInstanceWithGroups } from './store.ts'

/** An instance of this player with its answers, or one that this coach allocated without them (PRIVACY-1). */
export const get: Handler<typeof instances.get> = async (input) => {
  const instance = await readInstance(input)
  return input.query.sections === 'none' ? { ...instance, sections: [] } : instance
}

async function readInstance({ params, caller, language, refuse, readDb, deps }: HandlerInput<typeof instances.get>) {
  if (caller.kind === 'player') {
    const own = await findInstanceWithGroups(deps.db, params.instanceId, caller.userId)
    if (!own) return refuse('NOT_FOUND')
    const fileSeal = fileSealOf(deps.keys, own.instance.id, caller.userId)
    return { ...presentInstance(own, own.groups, language, 'player'), fileSeal }
  }
  const row = await findInstance(readDb, params.instanceId, { coachId: caller.userId })
  if (!row) return refuse('NOT_FOUND')
  await noteResultsSeen(deps, caller, [row])
  return presentInstance(row, [], language, 'coach')
}
