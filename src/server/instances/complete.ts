import type { instances } from '#contract/instances.ts'
import { sectionsOf } from '../content/content.ts'
import type { Handler } from '../http/handler.ts'
import { presentSummary } from './present.ts'
import { score } from './scoring.ts'
import { completeInstance, findInstance } from './store.ts'

/** Completes and calculates the results; a repeat has the same reply. ANSWERS-25 */
export const complete: Handler<typeof instances.complete> = async ({ params, caller, language, refuse, deps }) => {
  const rules = { sectionsOf: (version: string) => sectionsOf(version, 'en'), score }
  const completion = await completeInstance(deps.db, params.instanceId, caller.userId, rules, deps.clock.now())
  switch (completion) {
    case 'unknown':
      return refuse('NOT_FOUND')
    case 'incomplete':
      return refuse('NOT_COMPLETE')
    case 'reclaimed':
      return refuse('INSTANCE_RECLAIMED')
    case 'already':
    case 'completed':
  }
  const row = await findInstance(deps.db, params.instanceId, { userId: caller.userId })
  return row ? presentSummary(row, language, 'player') : refuse('NOT_FOUND')
}
