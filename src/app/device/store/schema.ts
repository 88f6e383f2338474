/** The device's database: its versions, each with the stores it adds, as Dexie spells their keys. The one place that knows them. */

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

export interface DeviceSchema {
  name: string
  /** as the browser counts: Dexie's version 2 is 20 to it */
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
 * Opens the database, and makes it where there is none. An older version fails with AbortError: to bring it up is Dexie's.
 * Imports nothing: the script in the page (boot/begin.ts) begins with it as well.
 */
export function openDevice({ name, version, stores }: DeviceSchema): IDBOpenDBRequest {
  const request = indexedDB.open(name, version)
  request.addEventListener('upgradeneeded', ({ oldVersion }) => {
    if (oldVersion > 0) return request.transaction?.abort()
    for (const [store, keyPath] of stores) request.result.createObjectStore(store, { keyPath })
  })
  return request
}
