import type { health } from '#contract/health.ts'
import type { Handler } from '../http/handle.ts'
import { reachDatabase } from './store.ts'

export const get: Handler<typeof health.get> = async ({ deps }) => {
  await reachDatabase(deps.db)
  return { status: 'ok', service: 'touchline' }
}
