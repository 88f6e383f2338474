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
})

const define = (name: string, get: () => unknown) => Object.defineProperty(globalThis, name, { configurable: true, get })

const BLOCKED: Record<string, () => unknown> = {
  'its name throws': () => {
    throw new DOMException('blocked', 'SecurityError')
  },
  'it is null': () => null,
}

test.each(NAMES.flatMap((name) => Object.keys(BLOCKED).map((how) => [name, how] as const)))(
  'where %s is blocked and %s, the page has one of its own',
  async (name, how) => {
    for (const one of NAMES) define(one, () => fakeStorage())
    define(name, BLOCKED[how] ?? (() => undefined))
    const { blocked } = await import('#app/ui/browser/blocked-storages.ts')
    expect(blocked).toEqual([name])
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
