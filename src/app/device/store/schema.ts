/** The device's database: each version with the stores it adds, keys in Dexie's notation. Defined nowhere else. */

export const DATABASE = 'touchline'

export const versions = [
  {
    instances: '[userId+instanceId]',
    answers: '[userId+instanceId+questionId]',
    receipts: '[userId+instanceId+questionId]',
    late: '[userId+instanceId+questionId]',
    operations: '[userId+instanceId]',
    reads: '[userId+key]',
    device: 'key',
  },
  { definitions: '[userId+instanceId+language]' },
] as const satisfies Record<string, string>[]

interface DeviceSchema {
  name: string
  /** the browser's version number: Dexie multiplies its own by 10 */
  version: number
  stores: [name: string, keyPath: string | string[]][]
}

export const deviceSchema: DeviceSchema = {
  name: DATABASE,
  version: versions.length * 10,
  stores: versions
    .flatMap((stores) => Object.entries(stores))
    .map(([name, key]) => [name, key.startsWith('[') ? key.slice(1, -1).split('+') : key]),
}

/**
 * Opens the database, creating it if needed. An older version fails with AbortError, as only Dexie upgrades it.
 * This file imports nothing, because the script in the page (boot/begin.ts) includes it.
 */
export function openDevice({ name, version, stores }: DeviceSchema): IDBOpenDBRequest {
  const request = indexedDB.open(name, version)
  request.addEventListener('upgradeneeded', ({ oldVersion }) => {
    if (oldVersion > 0) return request.transaction?.abort()
    for (const [store, keyPath] of stores) request.result.createObjectStore(store, { keyPath })
  })
  return request
}
