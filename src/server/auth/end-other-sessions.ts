import type { auth } from '#contract/auth.ts'
import type { Handler } from '../http/handler.ts'
import { endSessionsExcept } from './sessions-store.ts'

/** The calling session becomes the only one. */
export const endOtherSessions: Handler<typeof auth.endOtherSessions> = async ({ params, caller, refuse, deps }) => {
  if (params.id !== caller.userId) return refuse('NOT_FOUND')
  await endSessionsExcept(deps.db, caller.userId, caller.sessionId, deps.clock.now())
}
