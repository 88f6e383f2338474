import type { instancesForCoach } from '#contract/instances.coach.ts'
import type { Handler } from '../http/handler.ts'
import { presentCoachReport } from './present.ts'
import { noteResultsSeen } from './results-seen.ts'
import { findInstance } from './store.ts'

/** GET assessment/coach/allocated/{instanceId}/report: for the coach who allocated it, and for its player. TEAM-8 */
export const coachReport: Handler<typeof instancesForCoach.coachReport> = async ({ params, caller, language, refuse, readDb, deps }) => {
  const isOwn = caller.kind === 'player'
  const row = await findInstance(readDb, params.instanceId, isOwn ? { userId: caller.userId } : { coachId: caller.userId })
  if (!row || row.instance.coachId === null) return refuse('NOT_FOUND')
  const { status, results } = row.instance
  if (status === 'RECLAIMED') return refuse(isOwn ? 'INSTANCE_RECLAIMED' : 'ALREADY_RECLAIMED')
  // checked before the account: a coach must not learn whether an unopened invitation's address has one (PRIVACY-3)
  if (status !== 'COMPLETED' || !results) return refuse(isOwn ? 'NOT_COMPLETE' : 'NO_REPORT_YET')
  if (row.user === null || row.user.deactivatedAt !== null) return refuse('NOT_FOUND')
  await noteResultsSeen(deps, caller, [row])
  return presentCoachReport(row, results, language, isOwn ? 'player' : 'coach')
}
