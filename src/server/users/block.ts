import type { usersForOperator } from '#contract/users.operator.ts'
import { blockAddress } from '../auth/blocks-store.ts'
import type { Handler } from '../http/handler.ts'

/** Anybody signed in with the address is signed out at their next call. */
export const block: Handler<typeof usersForOperator.block> = async ({ body, deps }) => blockAddress(deps.db, body.email, deps.clock.now())
