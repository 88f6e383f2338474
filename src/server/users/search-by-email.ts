import type { coach } from '#contract/coach.ts'
import type { Handler } from '../http/handle.ts'
import { findUserByEmail } from './store.ts'

export const searchByEmail: Handler<typeof coach.users.searchByEmail> = async ({ query, refuse, deps }) => {
  const user = await findUserByEmail(deps.db, query.email)
  return user ? { email: user.email } : refuse('USER_NOT_FOUND')
}
