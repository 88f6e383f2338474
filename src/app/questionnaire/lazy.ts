import { callsArrived, loadOnce } from '#app/ui/browser/load-once.ts'

/** Needed only where the device cannot be written. */
export const loadSubmitDirectly = loadOnce(() => import('./submit-directly.ts'), callsArrived)
