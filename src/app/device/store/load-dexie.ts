import { loadOnce } from '#app/device/load-once.ts'

/** Dexie and the store functions that use it: loaded after the first question is painted, or when first needed. docs/decisions/0015 */
export const loadDexie = loadOnce(() => import('./dexie-store.ts'))
