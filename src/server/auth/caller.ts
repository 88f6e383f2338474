import type { Deps } from '../deps.ts'
import type { Caller } from '../http/handle.ts'
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
  const proven = new Map<string, { claims: AccessClaims; until: number }>()

  function provenClaims(token: string): AccessClaims | undefined {
    const known = proven.get(token)
    return known && known.until > deps.clock.now().getTime() ? known.claims : undefined
  }

  async function claimsOf(token: string): Promise<AccessClaims | undefined> {
    const claims = await readAccessToken(deps, token)
    if (!claims) return undefined
    if (proven.size >= PROVEN_MAXIMUM) proven.clear()
    proven.set(token, { claims, until: claims.exp * 1000 })
    return claims
  }

  return async (authorization): Promise<Caller> => {
    if (authorization === undefined) return { kind: 'guest', userId: null, sessionId: null }
    const token = /^Bearer ([\w.~+/=-]+)$/i.exec(authorization)?.[1]
    if (token === undefined || token.length > TOKEN_LENGTH_MAXIMUM) throw new Refused('INVALID_TOKEN')
    const known = provenClaims(token)
    // not of a proven token, because comparing costs two hashes
    if (!known && isSameSecret(token, deps.keys.operatorKey)) return { kind: 'operator', userId: null, sessionId: null }
    const claims = known ?? (await claimsOf(token))
    const account = claims && (await liveAccount(deps.db, claims.sid, claims.sub, deps.clock.now()))
    if (!claims || !account) throw new Refused('INVALID_TOKEN')
    return { ...account, userId: claims.sub, sessionId: claims.sid }
  }
}
