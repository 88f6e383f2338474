import type { tokens } from '#contract/tokens.ts'
import type { Handler } from '../http/handler.ts'
import { presentTokens } from './present.ts'
import { readTokens } from '../ledger/store.ts'

/** The caller's tokens. A `userId` changes nothing, but must be the caller's own (ROLES-10). */
export const list: Handler<typeof tokens.list> = async ({ query, caller, language, refuse, readDb }) => {
  if (query.userId !== undefined && query.userId !== caller.userId) return refuse('FORBIDDEN')
  return presentTokens(await readTokens(readDb, caller.userId), language, query)
}
