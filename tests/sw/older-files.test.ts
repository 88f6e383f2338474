import { beforeEach, expect, test, vi } from 'vitest'
import { dropOlderFiles, dropUnneededFiles } from '../../sw/older-files.ts'

// Workbox looks for its global scope as it is imported.
vi.hoisted(() => vi.stubGlobal('self', globalThis))

const at = (file: string) => `https://portal.test/${file}`
const current = new Set([at('assets/home-2.js'), at('index.html?__WB_REVISION__=2')])
const older = [at('assets/home-1.js'), at('index.html?__WB_REVISION__=1')]

/** The caches of an origin, by name, with what is in each by its address. */
let stored: Map<string, Map<string, Response>>
let pages: string[]
let registration: { installing?: object; waiting?: object }

beforeEach(() => {
  stored = new Map()
  const open = async (name: string) => {
    const files = stored.get(name) ?? new Map<string, Response>()
    stored.set(name, files)
    return {
      keys: async () => [...files.keys()].map((url) => ({ url })),
      match: async (url: string) => files.get(url)?.clone(),
      put: async (url: string, response: Response) => void files.set(url, response),
      delete: async ({ url }: { url: string }) => files.delete(url),
    }
  }
  vi.stubGlobal('caches', { open, has: async (name: string) => stored.has(name), delete: async (name: string) => stored.delete(name) })
  vi.stubGlobal('clients', { matchAll: async () => pages.map((id) => ({ id })) })
  registration = {}
  vi.stubGlobal('registration', registration)
})

/** The new worker takes over while these pages are open. */
async function takeOver(...open: string[]) {
  pages = open
  const cache = await caches.open(await precacheName())
  for (const url of [...current, ...older]) await cache.put(url, new Response())
  await dropOlderFiles(current)
}

const precacheName = async () => (await import('workbox-core')).cacheNames.precache
const inCache = async () => [...(stored.get(await precacheName())?.keys() ?? [])].toSorted()

test('an earlier build’s scripts stay until the pages that were open at the update are gone', async () => {
  await takeOver('asked for it', 'other tab')
  expect(await inCache()).toEqual([at('assets/home-1.js'), ...current].toSorted())
  pages = ['asked for it, reloaded', 'other tab']
  await dropUnneededFiles(current)
  expect(await inCache()).toContain(at('assets/home-1.js'))
  pages = ['asked for it, reloaded']
  await dropUnneededFiles(current)
  expect(await inCache()).toEqual([...current].toSorted())
  expect([...stored.keys()]).toEqual([await precacheName()])
})

test('without an open page they go at once', async () => {
  await takeOver()
  expect(await inCache()).toEqual([...current].toSorted())
})

test('what a newer worker has stored meanwhile stays', async () => {
  await takeOver('page')
  stored.get(await precacheName())?.set(at('assets/home-3.js'), new Response())
  pages = []
  registration.waiting = {}
  await dropUnneededFiles(current)
  expect(await inCache()).toContain(at('assets/home-3.js'))
})
