import type { usersForCoach } from '#contract/users.coach.ts'
import type { Handler } from '../http/handle.ts'
import { findUserByEmail } from './store.ts'

export const searchByEmail: Handler<typeof usersForCoach.searchByEmail> = async ({ query, address, refuse, deps }) => {
  const busy = await deps.limits.take('searchesPerAddress', address)
  if (busy) return refuse('TOO_MANY_REQUESTS', busy)
  const user = await findUserByEmail(deps.db, query.email)
  return user ? { email: user.email } : refuse('USER_NOT_FOUND')
}
