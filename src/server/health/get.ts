import type { health } from '#contract/health.ts'
import type { Handler } from '../http/handle.ts'
import { withDeadline } from '../http/deadline.ts'
import { checkDatabase } from './store.ts'

// load balancers wait two or three seconds
const TIMEOUT_MS = 1500

/** Replies once the database does, or refuses with UNAVAILABLE. */
export const get: Handler<typeof health.get> = async ({ deps }) => {
  await withDeadline(TIMEOUT_MS, checkDatabase(deps.db))
  return { status: 'ok', service: 'touchline' }
}
