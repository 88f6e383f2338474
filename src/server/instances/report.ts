import type { instances } from '#contract/instances.ts'
import { offerWords } from '../content/offer.ts'
import type { Handler } from '../http/handler.ts'
import { completedInstance } from './completed.ts'
import { coachAccount, presentResults } from './present.ts'
import { textsOf } from './result-texts.ts'

/** A player's own result as a PDF, made at each call: nothing of it is stored on the server. RESULTS-16 */
export const report: Handler<typeof instances.report> = async ({ params, query, caller, language, refuse, deps }) => {
  const row = await completedInstance(deps.db, params.instanceId, caller.userId, refuse)
  const { instance, user, coach, assessment } = row
  const { contentVersion, results, completedAt } = instance
  const wait = await deps.limits.take('reports', caller.userId)
  if (wait) return refuse('TOO_MANY_REQUESTS', wait)
  // its packages are large, and a start should not wait for them
  const { makeReport } = await import('../report/report.ts')
  return makeReport({
    language,
    assessmentName: offerWords({ id: instance.assessmentId, ...assessment }, language).name,
    playerName: nameOf(user),
    completed: completedAt,
    timeZone: query.timeZone,
    results: presentResults(contentVersion, results, language),
    text: textsOf(contentVersion, results, language),
    coachName: instance.coachId === null ? null : nameOf(coach),
    ...coachAccount(row),
  })
}

function nameOf(person: { firstName: string | null; lastName: string | null } | null): string {
  return [person?.firstName, person?.lastName].filter(Boolean).join(' ')
}
