import type { usersForOperator } from '#contract/users.operator.ts'
import { unblockAddress } from '../auth/blocks-store.ts'
import type { Handler } from '../http/handler.ts'

export const unblock: Handler<typeof usersForOperator.unblock> = async ({ body, refuse, deps }) => {
  if (!(await unblockAddress(deps.db, body.email, deps.clock.now()))) return refuse('NOT_FOUND')
}
