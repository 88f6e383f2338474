import { normalEmail } from '#contract/rules/email.ts'
import type { usersForOperator } from '#contract/users.operator.ts'
import type { Handler } from '../http/handler.ts'
import { eraseAccount, findUser } from './store.ts'

/** Erases the account at once, closed or not, instead of 30 days after it was closed. The address in the request guards against a wrong id. */
export const erase: Handler<typeof usersForOperator.erase> = async ({ params, body, refuse, deps }) => {
  const user = await findUser(deps.db, params.userId)
  if (!user || user.erasedAt || user.emailNormal !== normalEmail(body.email)) return refuse('NOT_FOUND')
  // false: another call has erased it meanwhile
  if (!(await eraseAccount(deps.db, user.id, deps.clock.now()))) return refuse('NOT_FOUND')
  deps.jobs.wake('sweeps')
}
