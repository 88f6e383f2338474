import type { auth } from '#contract/auth.ts'
import type { Handler } from '../http/handler.ts'
import { agentOf, clientOf } from './client.ts'
import { isRefreshTokenGenuine, makeCredentials, readRefreshToken } from './credentials.ts'
import { findSession, applyRefresh } from './sessions-store.ts'

/** Rotates the refresh token, repeats a lost reply, and revokes the session of a token that is reused (SESSION-14). */
export const refresh: Handler<typeof auth.refresh> = async ({ body, networkAddress, header, refuse, deps }) => {
  const { db, keys, clock, limits, log } = deps
  const claims = readRefreshToken(body.refreshToken)
  const found = claims && (await findSession(db, claims.id))
  if (!claims || !found || !isRefreshTokenGenuine(keys, { ...found.session, counter: claims.counter }, claims.hmac)) {
    const wait = await limits.take('refreshesPerAddress', networkAddress)
    return wait ? refuse('TOO_MANY_REQUESTS', wait) : refuse('INVALID_TOKEN')
  }
  const { session, user } = found
  // a valid token has a limit of its own, which others at the same network address cannot use up
  const wait = await limits.take('refreshesPerSession', session.id)
  if (wait) return refuse('TOO_MANY_REQUESTS', wait)
  if (user.deactivatedAt) return refuse('SESSION_REVOKED')
  const requester = { client: clientOf(keys, user.email, body.deviceId), agent: agentOf(header('user-agent')) }
  const verdict = await applyRefresh(db, session.id, claims.counter, requester, clock.now())
  switch (verdict.kind) {
    case 'replay':
      log.warn({ sessionId: session.id, userId: user.id }, 'a refresh token was reused: session revoked')
      deps.jobs.wake('mails')
      return refuse('SESSION_REVOKED')
    case 'ended':
      return refuse('SESSION_REVOKED')
    case 'rotate':
    case 'again':
      return makeCredentials(deps, user, { id: session.id, salt: session.salt, counter: claims.counter + 1 })
  }
}
