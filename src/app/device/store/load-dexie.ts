import { loadOnce } from '#app/device/load-once.ts'

/** Dexie, with what the store does by it: after the first question is painted, or when it is first wanted. docs/decisions/0015 */
export const loadDexie = loadOnce(() => import('./dexie-store.ts'))
