import type { health } from '#contract/health.ts'
import type { Handler } from '../http/handler.ts'
import { withTimeout } from '../http/with-timeout.ts'
import { checkDatabase } from './store.ts'

// load balancers wait two or three seconds
const TIMEOUT_MS = 1500

/** Replies once the database does, or refuses with UNAVAILABLE. */
export const get: Handler<typeof health.get> = async ({ deps }) => {
  await withTimeout(checkDatabase(deps.db), TIMEOUT_MS)
  return { status: 'ok', service: 'touchline' }
}
