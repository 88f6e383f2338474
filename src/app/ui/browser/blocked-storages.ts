/**
 * If the browser blocks local or session storage, accessing it throws or gives null (Firefox without DOM storage, some WebViews), or reading
 * it throws (a damaged Firefox profile), and the app would not start: the page then gets storages in memory, until it is left. The same
 * holds for channels between tabs, which Firefox blocks with them. Imported before everything that uses one.
 */
import { MemoryChannel } from './memory-channel.ts'
import { memoryStorage } from './memory-storage.ts'

for (const name of ['localStorage', 'sessionStorage'] as const) {
  try {
    globalThis[name].getItem('')
  } catch {
    console.warn(`${name} is blocked; what it would keep is lost with the page`)
    Object.defineProperty(globalThis, name, { value: memoryStorage(), configurable: true })
  }
}

try {
  new BroadcastChannel('touchline-probe').close()
} catch {
  console.warn('Channels between tabs are blocked; this tab tells the others nothing')
  Object.defineProperty(globalThis, 'BroadcastChannel', { value: MemoryChannel, configurable: true })
}
