import type { operator } from '#contract/operator.ts'
import type { Handler } from '../http/handle.ts'
import { presentAccount } from './present.ts'
import { pageOfUsers } from './store.ts'

export const list: Handler<typeof operator.users.list> = async ({ query, deps }) => {
  const { rows, total } = await pageOfUsers(deps.db, query)
  return { data: rows.map(presentAccount), total }
}
