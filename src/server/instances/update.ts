import type { instancesForCoach } from '#contract/instances.coach.ts'
import type { Handler } from '../http/handler.ts'
import { presentSummary } from './present.ts'
import { noteResultsSeen } from './results-seen.ts'
import { findInstance, isPlayerShown, storeNotes } from './store.ts'

/** PATCH and PUT. Stores a coach's notes on an instance they allocated. Its player gets FORBIDDEN, anybody else NOT_FOUND (API-18, ROLES-9). */
export const update: Handler<typeof instancesForCoach.update> = async ({ params, body, caller, language, refuse, deps }) => {
  const isPlayer = caller.kind === 'player'
  const owner = isPlayer ? { userId: caller.userId } : { coachId: caller.userId }
  const found = await findInstance(deps.db, params.instanceId, owner)
  if (!found) return refuse('NOT_FOUND')
  const { ownerUserId, userTeam, userPositionName, userPlayerType } = body
  const player = isPlayerShown(found.instance) && !found.user?.deactivatedAt ? found.instance.userId : null
  const isOwnerAllowed = ownerUserId === undefined || ownerUserId === caller.userId || ownerUserId === player
  if (isPlayer || !isOwnerAllowed) return refuse('FORBIDDEN')
  // a reclaimed one has no row in the team table
  if (found.instance.status === 'RECLAIMED') return refuse('NOT_FOUND')
  await noteResultsSeen(deps, caller, [found])
  await storeNotes(deps.db, found.instance.id, caller.userId, {
    ...(userTeam === undefined ? {} : { userTeam }),
    ...(userPositionName === undefined ? {} : { userPositionName }),
    ...(userPlayerType === undefined ? {} : { userPlayerType }),
  })
  const noted = await findInstance(deps.db, found.instance.id, owner)
  return noted ? presentSummary(noted, language, 'coach') : refuse('NOT_FOUND')
}
