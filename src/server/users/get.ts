import type { users } from '#contract/users.ts'
import type { Handler } from '../http/handle.ts'
import { presentProfile } from './present.ts'
import { findUser } from './store.ts'

/** A foreign id answers like an absent one (ruling 30). */
export const get: Handler<typeof users.get> = async ({ params, caller, refuse, deps }) => {
  if (params.id !== caller.userId) return refuse('NOT_FOUND')
  const user = await findUser(deps.db, params.id)
  return user ? presentProfile(user) : refuse('NOT_FOUND')
}
