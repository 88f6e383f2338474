import type { usersForCoach } from '#contract/users.coach.ts'
import type { Handler } from '../http/handler.ts'
import { findUserByEmail } from './store.ts'

/** Whether an open account has this e-mail. Limited per account and per network address, so that it cannot serve as a directory. */
export const searchByEmail: Handler<typeof usersForCoach.searchByEmail> = async ({ query, networkAddress, refuse, deps }) => {
  const wait = await deps.limits.take('searchesPerAddress', networkAddress)
  if (wait) return refuse('TOO_MANY_REQUESTS', wait)
  const user = await findUserByEmail(deps.db, query.email)
  return user ? { email: user.email } : refuse('USER_NOT_FOUND')
}
