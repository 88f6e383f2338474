import { normalEmail } from '#contract/rules/email.ts'
import type { instancesForOperator } from '#contract/instances.operator.ts'
import type { Handler } from '../http/handler.ts'
import { forgetBounce } from '../mailer/bounces-store.ts'
import { resendInvitation } from './allocation-store.ts'
import { listPendingOf } from './pending-list-store.ts'

/** Sends an address its invitations again, as if each coach had sent a reminder; also after a mail that failed or came back. MAIL-4, MAIL-5 */
export const resendTo: Handler<typeof instancesForOperator.resendTo> = async ({ body, refuse, deps }) => {
  const emailNormal = normalEmail(body.email)
  const pending = await listPendingOf(deps.db, emailNormal)
  if (pending.length === 0) return refuse('NOT_FOUND')
  // the operator knows better than an old report
  await forgetBounce(deps.db, emailNormal)
  const data = []
  for (const { id: instanceId, coachId, assessmentId } of pending) {
    const { kind } = await resendInvitation(deps.db, { coachId, assessmentId, emailNormal }, deps.clock.now())
    // only a coach says what was seen
    if (kind === 'resent') throw new Error('a reminder of the operator was compared')
    data.push({ instanceId, outcome: kind })
  }
  deps.jobs.wake('mails')
  return { data }
}
