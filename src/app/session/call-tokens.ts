import { ApiError } from '#app/api/api-error.ts'
import { network } from '#app/api/network.ts'
import { readCredentials } from './read-credentials.ts'
import type { Refresh, RefreshReason } from './refresh.ts'

interface Ports {
  refreshing: Pick<Refresh, 'mayRenew' | 'isWaiting' | 'lastFailure'>
  /** resolves to whether there is a new access token than the one that was seen */
  refreshSession: (reason: RefreshReason, seen: string | undefined) => Promise<boolean>
  /** whether the stored access token has expired */
  isExpired: () => boolean
}

/** The access tokens for calls. */
export function createCallTokens({ refreshing, refreshSession, isExpired }: Ports) {
  /** refused by the server, and not renewed yet */
  let refusedToken: string | undefined
  const isSpent = (token: string | undefined) => isExpired() || (token !== undefined && token === refusedToken)

  return {
    /**
     * The access token for a call; an expired or refused one is refreshed first. While a failed refresh waits for its next try it
     * rejects with `ApiError`, as the server would refuse the call (SESSION-10); its cause is the failure of that refresh.
     */
    async toSend(): Promise<string | undefined> {
      const before = readCredentials().accessToken
      if (isSpent(before) && network.isReachable() && refreshing.mayRenew()) await refreshSession('due', before)
      const { accessToken } = readCredentials()
      if (isSpent(accessToken) && refreshing.isWaiting()) throw new ApiError({ kind: 'FETCH_ERROR', cause: refreshing.lastFailure() })
      return accessToken
    },
    /** After a 401 for this token: whether there is another one to repeat the call with. */
    async renew(refused: string): Promise<boolean> {
      const { accessToken } = readCredentials()
      if (accessToken !== refused) return accessToken !== undefined
      const isRenewed = refreshing.mayRenew() && (await refreshSession('refused', refused))
      if (!isRenewed) refusedToken = refused
      return isRenewed
    },
  }
}
