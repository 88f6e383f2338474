import type { tokens } from '#contract/tokens.ts'
import type { Handler } from '../http/handle.ts'
import { presentTokens } from './present.ts'
import { readTokens } from '../ledger/store.ts'

export const list: Handler<typeof tokens.list> = async ({ query, caller, refuse, deps }) => {
  if (query.userId !== undefined && query.userId !== caller.userId) return refuse('FORBIDDEN')
  return presentTokens(await readTokens(deps.db, caller.userId), query)
}
