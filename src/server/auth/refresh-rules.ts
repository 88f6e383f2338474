/** Which refresh token a session may still answer, and with which (ruling 4, promises C7). Pure. */

/** A parent is taken again this long after its child was used. */
export const PARENT_GRACE_SECONDS = 60
export const IDLE_DAYS = 14
export const ABSOLUTE_DAYS = 30

export interface SessionState {
  /** number of the newest token */
  refreshCounter: number
  /** when the newest token was made, by using the one before it */
  rotatedAt: Date
  lastUsedAt: Date
  absoluteEnd: Date
  revokedAt: Date | null
}

/** rotate: make the next. again: the same answer as before, nothing moves. ended: too old. replay: revoke. */
export type Verdict = { kind: 'rotate' } | { kind: 'again'; counter: number } | { kind: 'ended' } | { kind: 'replay' }

const DAY = 86_400_000

export function judgeRefresh(session: SessionState, counter: number, now: Date): Verdict {
  const isIdle = now.getTime() - session.lastUsedAt.getTime() > IDLE_DAYS * DAY
  if (session.revokedAt || isIdle || now >= session.absoluteEnd || counter > session.refreshCounter) return { kind: 'ended' }
  const age = session.refreshCounter - counter
  if (age === 0) return { kind: 'rotate' }
  // the child was never used: its reply was lost, or the browser's storage jumped back
  if (age === 1) return { kind: 'again', counter: counter + 1 }
  const sinceChildUsed = now.getTime() - session.rotatedAt.getTime()
  if (age === 2 && sinceChildUsed <= PARENT_GRACE_SECONDS * 1000) return { kind: 'again', counter: counter + 1 }
  return { kind: 'replay' }
}
