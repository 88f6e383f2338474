import type { api } from '#contract/api.ts'
import { sectionsOf } from '../content/content.ts'
import type { Handler } from '../http/handler.ts'
import { answersOf } from './answers-store.ts'
import { saveAnswers } from './save-answers.ts'

/** POST assessment/assessment-instance/responses. ANSWERS-4 to ANSWERS-11 */
export const saveResponses: Handler<typeof api.instances.saveResponses> = async ({ body, caller, deps, refuse }) => {
  const answers = answersOf(deps.db, deps.clock.now)
  const save = () => saveAnswers(answers, (contentVersion) => sectionsOf(contentVersion, 'en'), caller.userId, body)
  const run = await deps.limits.runExclusive('saves', caller.userId, save)
  if ('retryAfter' in run) {
    deps.metrics.saved('busy', 0)
    return refuse('TOO_MANY_REQUESTS', run)
  }
  const outcome = run.done
  if ('reply' in outcome) {
    deps.metrics.saved('stored', body.responses.length)
    return outcome.reply
  }
  deps.metrics.saved(outcome.refusal === 'BUSY' ? 'busy' : 'refused', 0)
  return outcome.refusal === 'BUSY' ? refuse('TOO_MANY_REQUESTS', { retryAfter: 1 }) : refuse(outcome.refusal)
}
