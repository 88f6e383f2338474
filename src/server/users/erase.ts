import { normalEmail } from '#contract/rules/email.ts'
import type { usersForOperator } from '#contract/users.operator.ts'
import type { Handler } from '../http/handler.ts'
import { closeAccount, eraseAccount, findUser } from './store.ts'

/** Closes the account and erases it at once, instead of 30 days later. The address in the request guards against a wrong id. */
export const erase: Handler<typeof usersForOperator.erase> = async ({ params, body, refuse, deps }) => {
  const user = await findUser(deps.db, params.userId)
  if (!user || user.erasedAt || user.emailNormal !== normalEmail(body.email)) return refuse('NOT_FOUND')
  const now = deps.clock.now()
  await closeAccount(deps.db, user.id, now)
  await eraseAccount(deps.db, user.id, now, now)
}
