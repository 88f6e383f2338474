/**
 * The one refresh (SESSION-6 to SESSION-12): one call at a time across all tabs, ended only by a definite refusal.
 * The ports make it the same code in a test with two tabs as in two tabs.
 */
import { isApiError } from '#app/api/api-error.ts'
import { retryDelay } from '#app/api/backoff.ts'
import { REFRESH_BEFORE_EXPIRY_MS, REFRESH_FLOOR_MS, REFRESH_RETRIES_MAXIMUM, REFRESH_WAITS, TRY_ON_RETURN_MS } from '#app/constants.ts'
import type { Credentials } from '#contract/auth.ts'
import type { StoredCredentials } from './read-credentials.ts'

/** There are other credentials now · the old ones stay, since the server could not be asked · the server refused. */
export type RefreshOutcome = 'renewed' | 'unchanged' | 'ended'

/** `due`: the time says so, the token still works. `refused`: a call got a 401. */
export type RefreshReason = 'due' | 'refused'

export interface RefreshPorts {
  read: () => StoredCredentials
  store: (credentials: Credentials) => void
  ask: (refreshToken: string, reason: RefreshReason) => Promise<Credentials>
  /** runs it in one tab at a time */
  withTabLock: <T>(run: () => Promise<T>) => Promise<T>
  /** epoch ms, the server's */
  now: () => number
  /** ms that never jump */
  steady: () => number
  /** from 0 to 1 */
  random: () => number
  /** `refusal`: what the server said, if it was asked */
  end: (refusal: unknown) => void
  log: (error: unknown) => void
}

export function createRefresh(ports: RefreshPorts) {
  let underWay: Promise<RefreshOutcome> | undefined
  let renewedAt = Number.NEGATIVE_INFINITY
  let failures = 0
  let notBefore = Number.NEGATIVE_INFINITY
  /** the last try got no reply, or a portal's page */
  let wasUnreached = false
  let returnedAt = Number.NEGATIVE_INFINITY

  async function withLock(reason: RefreshReason, seen: string | undefined): Promise<RefreshOutcome> {
    // Another tab may have done it while this one waited for the lock.
    const { accessToken } = ports.read()
    if (accessToken && (accessToken !== seen || (reason === 'due' && (dueIn() ?? 0) > 0))) return 'renewed'
    for (let refusals = 0; ;) {
      const { refreshToken } = ports.read()
      if (!refreshToken) return end()
      try {
        ports.store(await ports.ask(refreshToken, reason))
        renewedAt = ports.steady()
        failures = 0
        return 'renewed'
      } catch (error) {
        if (!isDefiniteRefusal(error)) return failed(error)
        ports.log(error)
        refusals += 1
        // A crash can roll local storage back, and another tab may hold the newer one: ask once more with what is there now.
        if (refusals >= REFRESH_RETRIES_MAXIMUM || ports.read().refreshToken === refreshToken) return end(error)
      }
    }
  }

  /** ms until the background refresh; 0 when that moment has passed, undefined without anything to refresh. SESSION-6 */
  function dueIn(): number | undefined {
    const { refreshToken, expiresAt } = ports.read()
    if (!refreshToken) return undefined
    const left = (expiresAt ?? 0) - REFRESH_BEFORE_EXPIRY_MS - ports.now()
    return Math.max(left, renewedAt + REFRESH_FLOOR_MS - ports.steady(), notBefore - ports.steady(), 0)
  }

  /** Waits longer each time, and at least as long as the server asked for: many phones at once must not overload it. SESSION-10 */
  function failed(error: unknown): RefreshOutcome {
    ports.log(error)
    failures += 1
    wasUnreached = isApiError(error) && error.refusal === undefined && error.retryAfterSeconds === undefined
    notBefore = ports.steady() + retryDelay(failures, error, REFRESH_WAITS, ports.random)
    return 'unchanged'
  }

  const isWaiting = () => ports.steady() < notBefore

  /** The server can be reached again: what waited only for that need not wait longer. */
  function noteReachable(): void {
    if (!wasUnreached || ports.steady() - returnedAt < TRY_ON_RETURN_MS) return
    returnedAt = ports.steady()
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
    noteReachable,
    /** A 401 for a token that was renewed a moment ago is not mended by renewing it again. */
    mayRenew: () => ports.steady() - renewedAt >= REFRESH_FLOOR_MS,
    dueIn,
  }
}

/** Our own refusal with 400, 401 or 403: anything else, a portal's page or a 5xx, decides nothing. */
export function isDefiniteRefusal(error: unknown): boolean {
  return isApiError(error) && error.refusal !== undefined && (error.status === 400 || error.status === 401 || error.status === 403)
}
