import type { users } from '#contract/users.ts'
import { CLOSING_DEVICE } from '../auth/count-keys.ts'
import { startWithCode } from '../auth/send-code.ts'
import type { Handler } from '../http/handler.ts'
import { findUser } from './store.ts'

/** Sends a code to the account's own e-mail, valid for this session only: an access token is not enough to close an account. */
export const deactivateCode: Handler<typeof users.deactivateCode> = async ({ params, caller, language, refuse, deps }) => {
  if (params.id !== caller.userId) return refuse('NOT_FOUND')
  const user = await findUser(deps.db, caller.userId)
  if (!user) return refuse('NOT_FOUND')
  const noProfile = { firstName: null, lastName: null, city: null, country: null }
  const asking = { device: CLOSING_DEVICE, client: caller.sessionId, purpose: 'close-account' as const }
  const start = { id: deps.random.id(), email: user.email, userType: caller.kind, language, ...noProfile, ...asking }
  return (await startWithCode({ deps, language, refuse }, start, user.id)) ?? refuse('NOT_FOUND')
}
