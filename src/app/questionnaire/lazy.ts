import { loadCaller } from '#app/api/load-caller.ts'

/** Needed only where the device cannot be written. */
export const loadSubmitDirectly = loadCaller(() => import('./submit-directly.ts'))
