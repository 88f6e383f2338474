import type { health } from '#contract/health.ts'
import { HEALTH_REPLY } from '#contract/rules/health-reply.ts'
import type { Handler } from '../http/handler.ts'
import { refuseAfter } from '../http/refuse-after.ts'
import { checkDatabase, PROBE_TIMEOUT_MS } from './store.ts'

/** Replies once the database does, or refuses with UNAVAILABLE. */
export const get: Handler<typeof health.get> = async ({ deps }) => {
  await refuseAfter(PROBE_TIMEOUT_MS, checkDatabase(deps.db))
  return HEALTH_REPLY
}
