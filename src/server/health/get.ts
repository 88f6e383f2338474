import type { health } from '#contract/health.ts'
import type { Handler } from '../http/handle.ts'
import { withDeadline } from '../http/deadline.ts'
import { reachDatabase } from './store.ts'

// load balancers wait two or three seconds
const TIMEOUT_MS = 1500

export const get: Handler<typeof health.get> = async ({ deps }) => {
  await withDeadline(TIMEOUT_MS, reachDatabase(deps.db))
  return { status: 'ok', service: 'touchline' }
}
