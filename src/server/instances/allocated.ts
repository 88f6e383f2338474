import type { instancesForCoach } from '#contract/instances.coach.ts'
import type { Handler } from '../http/handler.ts'
import { presentAllocated } from './present.ts'
import { noteResultsSeen } from './results-seen.ts'
import { listAllocated } from './store.ts'

/** GET assessment/coach/allocated: the team table, and the pending tokens. TEAM-1 */
export const allocated: Handler<typeof instancesForCoach.allocated> = async ({ query, caller, language, readDb, deps }) => {
  const rows = await listAllocated(readDb, caller.userId, query)
  await noteResultsSeen(deps, caller, rows)
  return { assessments: rows.map((row) => presentAllocated(row, language)) }
}
