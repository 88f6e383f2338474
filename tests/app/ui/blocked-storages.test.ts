import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeStorage } from '#tests/support/storage.ts'

const NAMES = ['localStorage', 'sessionStorage'] as const

beforeEach(() => {
  vi.resetModules()
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
  for (const name of NAMES) Reflect.deleteProperty(globalThis, name)
  Object.defineProperty(globalThis, 'BroadcastChannel', { value: Channel, configurable: true })
})

const Channel = BroadcastChannel

const define = (name: string, get: () => unknown) => Object.defineProperty(globalThis, name, { configurable: true, get })

const noRoom = () => {
  throw new DOMException('no room', 'QuotaExceededError')
}

const BLOCKED: Record<string, () => unknown> = {
  'its name throws': () => {
    throw new DOMException('blocked', 'SecurityError')
  },
  'it is null': () => null,
  'reading it throws': () => ({
    getItem: () => {
      throw new DOMException('damaged', 'NS_ERROR_FILE_CORRUPTED')
    },
  }),
  'it takes nothing': () => ({ ...fakeStorage(), length: 0, setItem: noRoom }),
}

test.each(NAMES.flatMap((name) => Object.keys(BLOCKED).map((how) => [name, how] as const)))(
  'if %s is blocked and %s, the page has one of its own',
  async (name, how) => {
    for (const one of NAMES) define(one, () => fakeStorage())
    define(name, BLOCKED[how] ?? (() => undefined))
    await import('#app/ui/browser/blocked-storages.ts')
    const { isMemoryStorage } = await import('#app/ui/browser/memory-storage.ts')
    expect(NAMES.filter((one) => isMemoryStorage(globalThis[one]))).toEqual([name])
    const storage = globalThis[name]
    storage.setItem('a', '1')
    storage.setItem('b', '2')
    storage.removeItem('b')
    expect([storage.getItem('a'), storage.getItem('b'), Object.keys(storage)]).toEqual(['1', null, ['a']])
    storage.clear()
    expect(Object.keys(storage)).toEqual([])
  },
)

test('a storage that is not blocked stays', async () => {
  const own = fakeStorage()
  for (const name of NAMES) define(name, () => own)
  await import('#app/ui/browser/blocked-storages.ts')
  for (const name of NAMES) expect(globalThis[name]).toBe(own)
})

test('a full storage that holds something stays, as it may hold a session', async () => {
  const full = { getItem: () => 'a session', length: 1, setItem: noRoom }
  for (const name of NAMES) define(name, () => full)
  await import('#app/ui/browser/blocked-storages.ts')
  for (const name of NAMES) expect(globalThis[name]).toBe(full)
})

test('if channels between tabs are blocked, the page has its own', async () => {
  for (const name of NAMES) define(name, () => fakeStorage())
  define('BroadcastChannel', () => undefined)
  await import('#app/ui/browser/blocked-storages.ts')
  const heard: string[] = []
  const [one, other, closed, apart] = ['a', 'a', 'a', 'b'].map((name, at) => {
    const channel = new BroadcastChannel(name)
    const hear = ({ data }: MessageEvent) => void heard.push(`${at} ${data}`)
    if (at === 1) channel.addEventListener('message', hear)
    else channel.onmessage = hear
    return channel
  })
  one?.postMessage('first')
  closed?.close()
  await vi.waitFor(() => expect(heard).toEqual(['1 first']))
  other?.postMessage('second')
  apart?.postMessage('third')
  await vi.waitFor(() => expect(heard).toEqual(['1 first', '0 second']))
})
