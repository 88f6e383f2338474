import type { Page } from '@playwright/test'
import type { Profile } from '#contract/users.ts'
import { Random } from '#tools/instrument/random.ts'

/** Takes away, one or several at random, what a device has stored for use without a connection. Each runs in a page of the product. */

/** The same whole numbers for the same seed, from 0 to below a maximum. */
export function randomOf(seed: number): (below: number) => number {
  const random = new Random(seed)
  return (below) => Math.floor(random.next() * below)
}

/** Whose device it is. */
export interface Owner {
  userId: string
  instanceId: string
}

interface Hole {
  name: string
  /** Resolves to what was taken away, for the report of a failing run; undefined if it was not there. */
  take: (page: Page, owner: Owner, pick: number) => Promise<string | undefined>
}

/** Removes an entry of the caches whose names and URLs match; `pick` chooses one, `all` takes them all. */
const cached = (inCache: RegExp, url: RegExp, howMany: 'one' | 'ten' | 'all') => (page: Page, _: Owner, pick: number) =>
  page.evaluate(
    async ({ inCache, url, howMany, pick }) => {
      const found: { cache: Cache; request: Request }[] = []
      for (const name of await caches.keys()) {
        if (!new RegExp(inCache).test(name)) continue
        const cache = await caches.open(name)
        for (const request of await cache.keys()) if (new RegExp(url).test(request.url)) found.push({ cache, request })
      }
      const at = found.length === 0 ? 0 : pick % found.length
      const taken = howMany === 'all' ? found : found.slice(at, at + (howMany === 'ten' ? 10 : 1))
      for (const { cache, request } of taken) await cache.delete(request)
      return taken.length === 0 ? undefined : taken.map(({ request }) => new URL(request.url).pathname).join(' ')
    },
    { inCache: inCache.source, url: url.source, howMany, pick },
  )

const wholeCache = (inCache: RegExp) => (page: Page) =>
  page.evaluate(async (inCache) => {
    const names = (await caches.keys()).filter((name) => new RegExp(inCache).test(name))
    await Promise.all(names.map((name) => caches.delete(name)))
    return names.join(' ') || undefined
  }, inCache.source)

/** Removes the rows of the person's database that `which` names: one at random, or all of the store. */
const rows =
  (store: string | undefined, howMany: 'one' | 'all', only = '') =>
  (page: Page, _: Owner, pick: number) =>
    page.evaluate(
      ({ store, howMany, only, pick }) =>
        new Promise<string | undefined>((resolve, reject) => {
          const opening = indexedDB.open('touchline')
          opening.onerror = () => reject(new Error('the database cannot be opened'))
          opening.onsuccess = () => {
            const database = opening.result
            const stores = [...database.objectStoreNames]
            const name = store ?? stores[pick % stores.length]
            if (name === undefined || !stores.includes(name)) {
              database.close()
              return resolve(undefined)
            }
            const removing = database.transaction(name, 'readwrite', { durability: 'strict' })
            const reading = removing.objectStore(name).getAllKeys()
            let taken: IDBValidKey[] = []
            reading.onsuccess = () => {
              const keys = reading.result.filter((key) => only === '' || JSON.stringify(key).includes(only))
              taken = howMany === 'all' ? keys : keys.slice(pick % Math.max(keys.length, 1)).slice(0, 1)
              for (const key of taken) removing.objectStore(name).delete(key)
            }
            removing.oncomplete = () => {
              database.close()
              resolve(taken.length === 0 ? undefined : `${name} ${howMany === 'all' ? 'all' : JSON.stringify(taken)}`)
            }
          }
        }),
      { store, howMany, only, pick },
    )

/** Deletes a database, also under an open tab. */
const database = (name: string) => (page: Page) =>
  page.evaluate(
    (name) =>
      new Promise<string>((resolve) => {
        const deleting = indexedDB.deleteDatabase(name)
        deleting.onsuccess = () => resolve(name)
        deleting.onblocked = () => resolve(`${name}, blocked`)
      }),
    name,
  )

/** Removes keys of local storage: those that match, or one of them. */
const keys = (which: RegExp, howMany: 'one' | 'all') => (page: Page, _: Owner, pick: number) =>
  page.evaluate(
    ({ which, howMany, pick }) => {
      const found = Object.keys(localStorage)
        .filter((key) => new RegExp(which).test(key))
        .toSorted()
      const taken = howMany === 'all' ? found : found.slice(pick % Math.max(found.length, 1)).slice(0, 1)
      for (const key of taken) localStorage.removeItem(key)
      return taken.join(' ') || undefined
    },
    { which: which.source, howMany, pick },
  )

const SHELL = /precache/

/** Everything of which something is stored for use without a connection. */
export const HOLES: readonly Hole[] = [
  { name: 'a file of the app', take: cached(SHELL, /./, 'one') },
  { name: 'ten files of the app', take: cached(SHELL, /./, 'ten') },
  { name: 'the page', take: cached(SHELL, /index\.html/, 'one') },
  { name: 'a file of words', take: cached(SHELL, /assets\/(?:home|assessment|player|brief|words|errors|leaving)[\w-]*\.js/, 'one') },
  { name: 'the app’s whole cache', take: wholeCache(SHELL) },
  { name: 'every cache', take: wholeCache(/./) },
  {
    name: 'the worker',
    take: (page) => page.evaluate(async () => String(await (await navigator.serviceWorker.getRegistration())?.unregister())),
  },
  { name: 'a lookup', take: cached(/reference/, /./, 'one') },
  { name: 'the lookups', take: wholeCache(/reference/) },
  { name: 'the list of cities', take: cached(/cities/, /./, 'one') },
  { name: 'the lists of cities', take: wholeCache(/cities/) },
  { name: 'the worker’s dates', take: database('workbox-expiration') },
  { name: 'the English questions', take: rows('definitions', 'one', '"en"') },
  { name: 'the French questions', take: rows('definitions', 'one', '"fr"') },
  { name: 'the instance', take: rows('instances', 'one') },
  { name: 'an answer', take: rows('answers', 'one') },
  { name: 'the answers', take: rows('answers', 'all') },
  { name: 'a receipt', take: rows('receipts', 'one') },
  { name: 'a store', take: rows(undefined, 'all') },
  { name: 'the database', take: database('touchline') },
  { name: 'the copy of the session', take: database('touchline-session') },
  { name: 'a key', take: keys(/./, 'one') },
  { name: 'every key', take: keys(/./, 'all') },
  { name: 'a token', take: keys(/^(?:accessToken|idToken|refreshToken|expiresAt)$/, 'one') },
  { name: 'the session', take: keys(/^(?:accessToken|idToken|refreshToken|expiresAt|sessionCopiedAt)$/, 'all') },
  { name: 'the stored reads', take: keys(/^reads|eads/, 'all') },
  { name: 'the details', take: withoutCity },
]

/** The profile lost its city on another device, and this one has read it. */
async function withoutCity(page: Page, { userId }: Owner): Promise<string | undefined> {
  return page.evaluate((userId) => {
    for (const [key, text] of Object.entries(localStorage) as [string, string][]) {
      if (!key.endsWith(userId) || !text.startsWith('{')) continue
      const stored = JSON.parse(text) as { clientState?: { queries: { state: { data?: Partial<Profile> } }[] } } // of api/query-store.ts
      const profiles = (stored.clientState?.queries ?? []).filter(({ state }) => state.data && 'cityId' in state.data)
      for (const { state } of profiles) state.data = { ...state.data, cityId: null }
      localStorage.setItem(key, JSON.stringify(stored))
      if (profiles.length > 0) return 'the city'
    }
    return undefined
  }, userId)
}
