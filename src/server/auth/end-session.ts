import type { auth } from '#contract/auth.ts'
import type { Handler } from '../http/handler.ts'
import { endSession as end } from './sessions-store.ts'

/** A session that has ended is not found, like somebody else's. */
export const endSession: Handler<typeof auth.endSession> = async ({ params, caller, refuse, deps }) => {
  if (params.id !== caller.userId) return refuse('NOT_FOUND')
  const hasEnded = await end(deps.db, caller.userId, params.sessionId, deps.clock.now())
  if (!hasEnded) return refuse('NOT_FOUND')
}
