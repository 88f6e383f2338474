/** The session that stored credentials mean. */
import { EXPIRING_SOON_MS } from '#app/constants.ts'
import type { UserTypeCode } from '#contract/rules/user-types.ts'
import type { StoredCredentials } from './read-credentials.ts'
import { userOf, userTypeCodeOf, type SessionUser } from './user.ts'

/** `verified`: the access token has not expired (SESSION-5). `known`: it has, but no refusal ended the session (SESSION-9). `guest`: nobody is signed in. */
type SessionStatus = 'guest' | 'known' | 'verified'

export interface Session {
  status: SessionStatus
  user: SessionUser | undefined
  userTypeCode: UserTypeCode | undefined
  /** within 5 minutes of expiry, or past it */
  isExpiringSoon: boolean
  isRefreshing: boolean
}

/** @param now epoch ms by the server's clock */
export function sessionOf(stored: StoredCredentials, now: number, isRefreshing: boolean): Session {
  const user = userOf(stored.idToken)
  const left = (stored.expiresAt ?? 0) - now
  const isValid = stored.accessToken !== undefined && left > 0
  return {
    status: isValid ? 'verified' : user && stored.refreshToken ? 'known' : 'guest',
    user,
    userTypeCode: userTypeCodeOf(stored.accessToken),
    isExpiringSoon: stored.accessToken !== undefined && left <= EXPIRING_SOON_MS,
    isRefreshing,
  }
}
