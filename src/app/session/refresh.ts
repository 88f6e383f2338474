/**
 * The one refresh (rulings 1, 4, 5): one call at a time across all tabs, ended only by a definite refusal.
 * The ports make it the same code in a test with two tabs as in two tabs.
 */
import { isApiError } from '#app/api/api-error.ts'
import {
  REFRESH_BEFORE_EXPIRY_MS,
  REFRESH_FLOOR_MS,
  REFRESH_RETRIES_MAXIMUM,
  REFRESH_WAIT_MAXIMUM_MS,
  REFRESH_WAIT_MINIMUM_MS,
} from '#app/constants.ts'
import type { Credentials } from '#contract/auth.ts'
import type { StoredCredentials } from './credentials.ts'

/** Other credentials are there now · the old ones stay, nobody could be asked · the server said no. */
export type RefreshOutcome = 'renewed' | 'kept' | 'ended'

/** `due`: the time says so, the token still works. `refused`: a call was answered 401. */
export type RefreshReason = 'due' | 'refused'

export interface RefreshPorts {
  read: () => StoredCredentials
  keep: (credentials: Credentials) => void
  ask: (refreshToken: string, reason: RefreshReason) => Promise<Credentials>
  /** runs it alone among all tabs */
  alone: <T>(run: () => Promise<T>) => Promise<T>
  /** epoch ms, the server's */
  now: () => number
  /** ms that never jump */
  steady: () => number
  /** from 0 to 1 */
  random: () => number
  end: () => void
  log: (error: unknown) => void
}

export function createRefresh(ports: RefreshPorts) {
  let underWay: Promise<RefreshOutcome> | undefined
  let renewedAt = Number.NEGATIVE_INFINITY
  let failures = 0
  let notBefore = Number.NEGATIVE_INFINITY
  /** the last try got no answer at all */
  let wasUnreached = false

  async function withLock(reason: RefreshReason, seen: string | undefined): Promise<RefreshOutcome> {
    // Another tab may have done it while this one waited for the lock.
    const { accessToken } = ports.read()
    if (accessToken && (accessToken !== seen || (reason === 'due' && (dueIn() ?? 0) > 0))) return 'renewed'
    for (let refusals = 0; ;) {
      const { refreshToken } = ports.read()
      if (!refreshToken) return end()
      try {
        ports.keep(await ports.ask(refreshToken, reason))
        renewedAt = ports.steady()
        failures = 0
        return 'renewed'
      } catch (error) {
        if (!isDefiniteRefusal(error)) return failed(error)
        ports.log(error)
        refusals += 1
        // A crash can roll local storage back, and another tab may hold the newer one: ask once more with what is there now.
        if (refusals >= REFRESH_RETRIES_MAXIMUM || ports.read().refreshToken === refreshToken) return end()
      }
    }
  }

  /** ms until the background refresh; 0 when that moment has passed, undefined without anything to refresh. §4 */
  function dueIn(): number | undefined {
    const { refreshToken, expiresAt } = ports.read()
    if (!refreshToken) return undefined
    const left = (expiresAt ?? 0) - REFRESH_BEFORE_EXPIRY_MS - ports.now()
    return Math.max(left, renewedAt + REFRESH_FLOOR_MS - ports.steady(), notBefore - ports.steady(), 0)
  }

  /** Waits longer each time, and at least as long as the server asked for: many phones at once must not keep it down. Ruling 44 */
  function failed(error: unknown): RefreshOutcome {
    ports.log(error)
    failures += 1
    wasUnreached = isApiError(error) && (error.kind === 'FETCH_ERROR' || error.kind === 'TIMEOUT_ERROR')
    const doubled = Math.min(REFRESH_WAIT_MINIMUM_MS * 2 ** (failures - 1), REFRESH_WAIT_MAXIMUM_MS)
    const asked = isApiError(error) ? (error.retryAfterSeconds ?? 0) * 1000 : 0
    notBefore = ports.steady() + Math.max(doubled * (0.5 + ports.random() / 2), asked)
    return 'kept'
  }

  const isWaiting = () => ports.steady() < notBefore

  /** The server can be reached again: what waited only for that need not wait longer. */
  function noteReachable(): void {
    if (wasUnreached) notBefore = Number.NEGATIVE_INFINITY
  }

  function end(): RefreshOutcome {
    ports.end()
    return 'ended'
  }

  /** `seen`: the access token that is to be replaced. */
  function refresh(reason: RefreshReason, seen: string | undefined = ports.read().accessToken): Promise<RefreshOutcome> {
    // another tab may have renewed it meanwhile
    if (isWaiting() && ports.read().accessToken === seen) return Promise.resolve('kept')
    underWay ??= ports
      .alone(() => withLock(reason, seen))
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
