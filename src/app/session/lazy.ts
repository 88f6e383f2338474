import { loadCaller } from '#app/api/load-caller.ts'

/** Not needed before the first paint: credentials are stored, and refreshed once it is due. */
export const loadRequestCredentials = loadCaller(() => import('./request-credentials.ts'))
