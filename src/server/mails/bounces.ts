import type { mailsForOperator } from '#contract/mails.operator.ts'
import type { Handler } from '../http/handler.ts'
import { pageOfBounces } from '../mailer/bounces-store.ts'

/** GET mail/bounce. MAIL-12, API-49 */
export const bounces: Handler<typeof mailsForOperator.bounces> = async ({ query, deps }) => {
  const { rows, total } = await pageOfBounces(deps.db, query)
  const data = rows.flatMap(({ id: mailId, kind, instanceId, sentAt, bouncedAt, bouncedWhy: why, bouncedCode }) =>
    bouncedAt && why
      ? [
          {
            mailId,
            kind,
            instanceId,
            sentAt: sentAt?.toISOString() ?? null,
            bouncedAt: bouncedAt.toISOString(),
            why,
            code: bouncedCode ?? 'unknown',
          },
        ]
      : [],
  )
  return { data, total }
}
