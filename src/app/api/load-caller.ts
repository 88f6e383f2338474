import { earlyStart } from '#app/early-start.ts'
import { loadOnce } from '#app/ui/browser/load-once.ts'
import { ApiError } from './api-error.ts'

/**
 * `loadOnce` for a module that makes calls, which a question that the device has does not need (docs/decisions/0070). Rejects with `ApiError`
 * if it cannot be loaded: the server was not reached.
 */
export function loadCaller<Module>(load: () => Promise<Module>): () => Promise<Module> {
  const once = loadOnce(load, () => earlyStart()?.callsArrived ?? earlyStart()?.allArrived)
  return () =>
    once().catch((cause: unknown) => {
      throw new ApiError({ kind: 'FETCH_ERROR', cause })
    })
}
