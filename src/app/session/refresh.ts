/**
 * Refreshes the access token (SESSION-6 to SESSION-12): one call at a time across all tabs. Only a definite refusal ends the
 * session. Everything outside is a port, so that tests can run two tabs.
 */
import { isApiError } from '#app/api/api-error.ts'
import { retryDelay } from '#app/api/backoff.ts'
import { REFRESH_BEFORE_EXPIRY_MS, REFRESH_FLOOR_MS, REFRESH_RETRIES_MAXIMUM, REFRESH_WAITS, TRY_ON_RETURN_MS } from '#app/constants.ts'
import type { Credentials } from '#contract/auth.ts'
import type { StoredCredentials } from './read-credentials.ts'

/** renewed: there are new credentials · unchanged: the server could not be asked, the old ones stay · ended: the server refused, or there are none. */
type RefreshOutcome = 'renewed' | 'unchanged' | 'ended'

/** `due`: the token expires soon. `refused`: a call with it got a 401. */
export type RefreshReason = 'due' | 'refused'

interface RefreshPorts {
  read: () => StoredCredentials
  store: (credentials: Credentials) => void
  request: (refreshToken: string, reason: RefreshReason) => Promise<Credentials>
  /** runs it in one tab at a time; see tab-lock.ts */
  withTabLock: <T>(run: () => Promise<T>) => Promise<T>
  /** epoch ms by the server's clock */
  now: () => number
  /** ms of a clock that nobody can set back, as `performance.now` */
  monotonicNow: () => number
  /** from 0 to 1 */
  random: () => number
  /** ends the session; `refusal`: the server's error, if it was asked */
  end: (refusal: unknown) => void
  log: (error: unknown) => void
}

export type Refresh = ReturnType<typeof createRefresh>

export function createRefresh(ports: RefreshPorts) {
  let underWay: Promise<RefreshOutcome> | undefined
  let renewedAt = Number.NEGATIVE_INFINITY
  let failures = 0
  let notBefore = Number.NEGATIVE_INFINITY
  /** the last try got no reply, or a captive portal's */
  let wasUnreached = false
  let failure: unknown
  let returnedAt = Number.NEGATIVE_INFINITY

  async function withLock(reason: RefreshReason, seen: string | undefined): Promise<RefreshOutcome> {
    // Another tab may have refreshed while this one waited for the lock.
    const { accessToken } = ports.read()
    if (accessToken && (accessToken !== seen || (reason === 'due' && (dueIn() ?? 0) > 0))) return 'renewed'
    for (let refusals = 0; ;) {
      const { refreshToken } = ports.read()
      if (!refreshToken) return end()
      try {
        const credentials = await ports.request(refreshToken, reason)
        // Whoever signed out meanwhile stays signed out, and the next person, or another tab's newer token, stays.
        if (ports.read().refreshToken !== refreshToken) return ports.read().accessToken ? 'renewed' : 'ended'
        ports.store(credentials)
        renewedAt = ports.monotonicNow()
        failures = 0
        return 'renewed'
      } catch (error) {
        if (!isDefiniteRefusal(error)) return failed(error)
        ports.log(error)
        refusals += 1
        // After a crash local storage may be old, and another tab may have written a newer token meanwhile: try again with that.
        if (refusals >= REFRESH_RETRIES_MAXIMUM || ports.read().refreshToken === refreshToken) return end(error)
      }
    }
  }

  /** ms until the background refresh: 0 if it is due, undefined without a refresh token. SESSION-6 */
  function dueIn(): number | undefined {
    const { refreshToken, expiresAt } = ports.read()
    if (!refreshToken) return undefined
    const left = (expiresAt ?? 0) - REFRESH_BEFORE_EXPIRY_MS - ports.now()
    return Math.max(left, renewedAt + REFRESH_FLOOR_MS - ports.monotonicNow(), notBefore - ports.monotonicNow(), 0)
  }

  /** Plans the next try: later each time, and not before the server's Retry-After. SESSION-10 */
  function failed(error: unknown): RefreshOutcome {
    ports.log(error)
    failures += 1
    failure = error
    wasUnreached = isApiError(error) && error.refusal === undefined && error.retryAfterSeconds === undefined
    notBefore = ports.monotonicNow() + retryDelay(failures, error, REFRESH_WAITS, ports.random)
    return 'unchanged'
  }

  const isWaiting = () => ports.monotonicNow() < notBefore

  /** The server can be reached again: ends the wait if the last try did not reach it. */
  function noteReachable(): void {
    if (!wasUnreached || ports.monotonicNow() - returnedAt < TRY_ON_RETURN_MS) return
    returnedAt = ports.monotonicNow()
    notBefore = Number.NEGATIVE_INFINITY
  }

  function end(refusal?: unknown): RefreshOutcome {
    ports.end(refusal)
    return 'ended'
  }

  /** `seen`: the access token that is to be replaced. */
  function refresh(reason: RefreshReason, seen: string | undefined = ports.read().accessToken): Promise<RefreshOutcome> {
    // another tab may have renewed it meanwhile
    if (isWaiting() && ports.read().accessToken === seen) return Promise.resolve('unchanged')
    underWay ??= ports
      .withTabLock(() => withLock(reason, seen))
      .catch(failed)
      .finally(() => {
        underWay = undefined
      })
    return underWay
  }

  return {
    refresh,
    isUnderWay: () => underWay !== undefined,
    /** The last try failed, and the next one is not due yet. */
    isWaiting,
    /** Why the last try failed. */
    lastFailure: () => failure,
    noteReachable,
    /** false shortly after a refresh: a 401 for a new token is not solved by another one */
    mayRenew: () => ports.monotonicNow() - renewedAt >= REFRESH_FLOOR_MS,
    dueIn,
  }
}

/** Our server's own refusal with 400, 401 or 403. Anything else (a captive portal's page, a 5xx) does not end the session. */
function isDefiniteRefusal(error: unknown): boolean {
  return isApiError(error) && error.refusedWith(400, 401, 403)
}
