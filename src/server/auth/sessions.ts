import type { auth } from '#contract/auth.ts'
import type { Handler } from '../http/handler.ts'
import { listSessions } from './sessions-store.ts'

/** The caller's own sessions, without anything that locates a device. */
export const sessions: Handler<typeof auth.sessions> = async ({ params, caller, refuse, deps }) => {
  if (params.id !== caller.userId) return refuse('NOT_FOUND')
  const live = await listSessions(deps.db, caller.userId, deps.clock.now())
  const data = live.map(({ id, agent, createdAt, lastUsedAt }) => ({
    id,
    agent,
    startedAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    isCurrent: id === caller.sessionId,
  }))
  return { data }
}
