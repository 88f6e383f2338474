import type { auth } from '#contract/auth.ts'
import type { Handler } from '../http/handler.ts'
import { revokeSession } from './sessions-store.ts'

/** Ends the caller's session. The router passes a guest if the credentials are missing, wrong or of a removed key: then none ends. */
export const logout: Handler<typeof auth.logout> = async ({ caller, deps }) => {
  if (caller.sessionId !== null) await revokeSession(deps.db, caller.sessionId, deps.clock.now())
}
