import type { usersForOperator } from '#contract/users.operator.ts'
import type { Handler } from '../http/handle.ts'
import { presentAccount } from './present.ts'
import { makeOrReopen } from './store.ts'

/** Signs nobody in: that takes the code in their mailbox, as for everybody. */
export const create: Handler<typeof usersForOperator.create> = async ({ body, refuse, deps }) => {
  const { email, userTypeCode: userType, firstName = null, lastName = null } = body
  const user = await makeOrReopen(deps.db, { id: deps.random.id(), email, userType, firstName, lastName }, deps.clock.now())
  return user ? presentAccount(user) : refuse('USER_EXISTS')
}
