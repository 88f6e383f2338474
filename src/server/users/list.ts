import type { usersForOperator } from '#contract/users.operator.ts'
import type { Handler } from '../http/handler.ts'
import { presentAccount } from './present.ts'
import { pageOfUsers } from './store.ts'

/** One page of the accounts, oldest first. */
export const list: Handler<typeof usersForOperator.list> = async ({ query, deps }) => {
  const { rows, total } = await pageOfUsers(deps.db, query)
  return { data: rows.map(presentAccount), total }
}
