import type { users } from '#contract/users.ts'
import type { Handler } from '../http/handler.ts'
import { presentSummary } from '../instances/present.ts'
import { noteResultsSeen } from '../instances/results-seen.ts'
import { isPlayerShown, listInstances } from '../instances/store.ts'
import { readBalance } from '../ledger/store.ts'
import { presentCoach, presentForCoach, presentProfile } from './present.ts'
import { findUser } from './store.ts'

/**
 * The caller's own profile and instances. A coach also gets part of the profile of a player who opened the brief of an instance
 * they allocated, with those instances (API-30). Any other user is not found, whether they exist or not (ROLES-10).
 */
export const get: Handler<typeof users.get> = async ({ params, caller, language, refuse, readDb, deps }) => {
  const isOwn = params.id === caller.userId
  if (!isOwn && caller.kind !== 'coach') return refuse('NOT_FOUND')
  const owner = { userId: params.id, ...(isOwn ? {} : { coachId: caller.userId }) }
  const [user, found] = await Promise.all([findUser(readDb, params.id), listInstances(readDb, owner)])
  const rows = isOwn ? found : found.filter(({ instance }) => isPlayerShown(instance))
  if (!user || (!isOwn && (rows.length === 0 || user.deactivatedAt))) return refuse('NOT_FOUND')
  await noteResultsSeen(deps, caller, rows)
  const assessmentInstances = rows.map((row) => presentSummary(row, language, isOwn ? 'player' : 'coach'))
  if (!isOwn) return { ...presentForCoach(user), assessmentInstances }
  if (caller.kind === 'player') return { ...presentProfile(user), assessmentInstances }
  return { ...presentCoach(user, await readBalance(readDb, user.id)), assessmentInstances }
}
