import { callsArrived, loadOnce } from '#app/ui/browser/load-once.ts'

/** Not needed before the first paint: credentials are stored, and refreshed once it is due. */
export const loadRequestCredentials = loadOnce(() => import('./request-credentials.ts'), callsArrived)
