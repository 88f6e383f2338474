import type { Deps } from '../deps.ts'
import type { Caller } from '../http/handler.ts'
import { Refused } from '../http/refusal.ts'
import type { Identify } from '../http/router.ts'
import { isSameSecret } from '../keys.ts'
import { readAccessToken, type AccessClaims } from './credentials.ts'
import { liveAccount } from './live-session-store.ts'

const PROVEN_MAXIMUM = 10_000
const TOKEN_LENGTH_MAXIMUM = 2000

/**
 * Identifies the bearer of a token. Its signature is verified once and cached until it expires; its session is checked at every
 * call, so that signing out ends access at once (SESSION-18).
 */
export function identifyBy(deps: Deps): Identify {
  /** by the header, whose form is then right, too */
  const proven = new Map<string, { claims: AccessClaims; until: number }>()

  function provenClaims(authorization: string): AccessClaims | undefined {
    const known = proven.get(authorization)
    return known && known.until > deps.clock.now().getTime() ? known.claims : undefined
  }

  async function claimsOf(authorization: string, token: string, mayBeExpired: boolean): Promise<AccessClaims | undefined> {
    const claims = await readAccessToken(deps, token, mayBeExpired)
    if (!claims) return undefined
    if (proven.size >= PROVEN_MAXIMUM) proven.clear()
    proven.set(authorization, { claims, until: claims.exp * 1000 })
    return claims
  }

  /** null: the operator's key */
  async function proofOf(authorization: string, mayBeExpired: boolean): Promise<AccessClaims | undefined | null> {
    const token = /^Bearer ([\w.~+/=-]+)$/i.exec(authorization)?.[1]
    if (token === undefined || token.length > TOKEN_LENGTH_MAXIMUM) return undefined
    return isSameSecret(token, deps.keys.operatorKey) ? null : claimsOf(authorization, token, mayBeExpired)
  }

  return async (authorization, { mayBeExpired } = { mayBeExpired: false }): Promise<Caller> => {
    if (authorization === undefined) return { kind: 'guest', userId: null, sessionId: null }
    // a proven token is not compared with the operator's key, which costs two hashes
    const claims = provenClaims(authorization) ?? (await proofOf(authorization, mayBeExpired))
    if (claims === null) return { kind: 'operator', userId: null, sessionId: null }
    const account = claims && (await liveAccount(deps.db, claims.sid, claims.sub, deps.clock.now()))
    if (!claims || !account) throw new Refused('INVALID_TOKEN')
    return { ...account, userId: claims.sub, sessionId: claims.sid }
  }
}
