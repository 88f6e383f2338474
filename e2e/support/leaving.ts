import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { newPlayer, scriptOf } from './api.ts'
import { cut, type Front } from './front.ts'
import { arriveAs, expect, gate, signOut } from './journey.ts'
import { answerAll } from './questionnaire.ts'
import { SAVING } from './requests.ts'
import type { ProductServer } from './server.ts'
import type { Words } from './words.ts'

/** Signing out while something has not been sent. */

export const LOGOUT = /\/logout$/

/**
 * A player about to sign out while so many answers cannot be sent.
 * @param expiresIn seconds that the access token still has
 */
export async function leaveUnsent(page: Page, t: Words, server: ProductServer, front: Front, count: number, expiresIn?: number) {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  front.bend(SAVING, cut)
  await arriveAs(page, expiresIn === undefined ? player : { ...player, expiresIn }, paths.test(player.instanceId), { origin: front.url })
  await answerAll(page, t, script.slice(0, count))
  await expect(page.getByText(t('assessment:TestSavedOnDevice', { count }))).toBeVisible()
  await page.goto(front.url + paths.home())
  await signOut(page, t)
  return { player, script }
}

/** What a page does with answers on the disk waits until the returned function is called, or gives up after 3 s. */
export const holdAnswers = (page: Page) => holdStore(page, 'touchline', 'answers')

/** The same for the copy of the sign-in. */
export const holdSessionCopy = (page: Page) => holdStore(page, 'touchline-session', 'copy')

async function holdStore(page: Page, database: string, store: string): Promise<() => Promise<void>> {
  const other = await page.context().newPage()
  await other.goto(`${await page.evaluate(() => location.origin)}/api/health`)
  await other.evaluate(
    async (held) => {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(held.database)
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(new Error('no database')))
      })
      const store = database.transaction(held.store, 'readwrite').objectStore(held.store)
      // a transaction stays open as long as it has requests
      const hold = () => store.count().addEventListener('success', hold)
      hold()
    },
    { database, store },
  )
  return () => other.close()
}

/** Nothing runs in this page until the returned function is called, as in one that the browser has frozen. */
export async function holdUp(page: Page): Promise<() => Promise<void>> {
  const { held, goOn } = await holding(page)
  await page.evaluate((path) => {
    const request = new XMLHttpRequest()
    // a synchronous one
    request.open('GET', path, false)
    setTimeout(() => request.send())
  }, HELD_UP)
  await held
  return goOn
}

/** The same, from the moment that `act` makes the page store `key` in local storage. */
export async function holdUpAsItStores(page: Page, key: string, act: () => Promise<void>): Promise<() => Promise<void>> {
  const { held, goOn } = await holding(page)
  await page.evaluate(
    ({ key, path }) => {
      const { setItem } = Storage.prototype
      Storage.prototype.setItem = function (name: string, value: string) {
        setItem.call(this, name, value)
        if (name !== key) return
        Storage.prototype.setItem = setItem
        const request = new XMLHttpRequest()
        request.open('GET', path, false)
        request.send()
      }
    },
    { key, path: HELD_UP },
  )
  const acting = act()
  await held
  return async () => {
    await goOn()
    await acting
  }
}

const HELD_UP = '/held-up'

async function holding(page: Page) {
  const { open, opened } = gate()
  const { open: noteHeld, opened: held } = gate()
  await page.route(`**${HELD_UP}`, async (route) => {
    noteHeld()
    await opened
    await route.fulfill({ body: '' })
  })
  const goOn = async () => {
    open()
    await page.evaluate(() => undefined)
  }
  return { held, goOn }
}

/** Waits until no page signs out any more. */
export async function untilSignedOut(page: Page): Promise<void> {
  const isUnderWay = async () => (await navigator.locks.query()).held?.some(({ name }) => name === 'touchline.sign-out')
  await expect.poll(() => page.evaluate(isUnderWay), { timeout: 30_000 }).toBe(false)
}

export async function answersOnDevice(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('touchline')
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(new Error('no database')))
    })
    const counting = database.transaction('answers').objectStore('answers').count()
    return new Promise<number>((resolve) => counting.addEventListener('success', () => resolve(counting.result)))
  })
}
