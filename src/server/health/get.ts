import type { health } from '#contract/health.ts'
import type { Handler } from '../http/handle.ts'
import { withDeadline } from '../http/deadline.ts'
import { reachDatabase } from './store.ts'

// whoever asks waits two or three seconds
const PATIENCE = 1500

export const get: Handler<typeof health.get> = async ({ deps }) => {
  await withDeadline(PATIENCE, reachDatabase(deps.db))
  return { status: 'ok', service: 'touchline' }
}
