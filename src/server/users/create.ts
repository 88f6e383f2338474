import type { usersForOperator } from '#contract/users.operator.ts'
import type { Handler } from '../http/handler.ts'
import { presentAccount } from './present.ts'
import { createOrReopen } from './store.ts'

/** Does not sign anybody in: the new user signs in with a code from their mailbox, like everyone else. */
export const create: Handler<typeof usersForOperator.create> = async ({ body, refuse, deps }) => {
  const { email, userTypeCode: userType, firstName = null, lastName = null } = body
  const user = await createOrReopen(deps.db, { id: deps.random.id(), email, userType, firstName, lastName }, deps.clock.now())
  return user ? presentAccount(user) : refuse('USER_EXISTS')
}
