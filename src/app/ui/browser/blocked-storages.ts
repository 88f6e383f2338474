/**
 * If the browser blocks local or session storage, accessing it throws or gives null (Firefox without DOM storage, some WebViews), reading
 * it throws (a damaged Firefox profile), or it takes nothing (private windows of old Safari): the app would not start, or nobody could sign in.
 * The page then gets storages in memory, until it is left. The same holds for channels between tabs, which Firefox blocks with them.
 * Imported before everything that uses one.
 */
import { MemoryChannel } from './memory-channel.ts'
import { memoryStorage } from './memory-storage.ts'

const PROBE = 'touchline-probe'

for (const name of ['localStorage', 'sessionStorage'] as const) {
  try {
    const storage = globalThis[name]
    storage.getItem('')
    // a full one that holds something stays
    if (storage.length === 0) {
      storage.setItem(PROBE, '1')
      storage.removeItem(PROBE)
    }
  } catch {
    console.warn(`${name} is blocked; what it would keep is lost with the page`)
    Object.defineProperty(globalThis, name, { value: memoryStorage(), configurable: true })
  }
}

try {
  new BroadcastChannel(PROBE).close()
} catch {
  console.warn('Channels between tabs are blocked; this tab tells the others nothing')
  Object.defineProperty(globalThis, 'BroadcastChannel', { value: MemoryChannel, configurable: true })
}
