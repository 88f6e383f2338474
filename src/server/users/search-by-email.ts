import type { coach } from '#contract/coach.ts'
import type { Deps } from '../deps.ts'
import type { Handler } from '../http/handle.ts'
import { countPer, type Limit } from '../http/limits.ts'
import { findUserByEmail } from './store.ts'

/** Questions an hour, per coach (promises, matrix). */
const SEARCHES_PER_HOUR = 30
const limits = new WeakMap<Deps, Limit>()

function limitOf(deps: Deps): Limit {
  const limit = limits.get(deps) ?? countPer(3600, SEARCHES_PER_HOUR, deps.clock)
  limits.set(deps, limit)
  return limit
}

export const searchByEmail: Handler<typeof coach.users.searchByEmail> = async ({ query, caller, refuse, deps }) => {
  const busy = limitOf(deps)(caller.userId)
  if (busy) return refuse('TOO_MANY_REQUESTS', busy)
  const user = await findUserByEmail(deps.db, query.email)
  return user ? { email: user.email } : refuse('USER_NOT_FOUND')
}
