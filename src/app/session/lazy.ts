import { loadCaller } from '#app/api/load-caller.ts'

/** Loads what requests credentials. It is not needed before the first paint: they are stored, and refreshed once it is due. */
export const loadRequestCredentials = loadCaller(() => import('./request-credentials.ts'))
