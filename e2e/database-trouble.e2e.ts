import type { BrowserContext, Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { answersOf, newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { refuseWith } from './support/front.ts'
import { arriveAs, expect, goOffline, goOnline, signInHere, test, untilWorkerIsThere, workerTest } from './support/journey.ts'
import { answerAll, expectAnswered } from './support/questionnaire.ts'
import { expectScreen } from './support/screens.ts'
import { startOf } from './support/words.ts'

/** A database that does not open, is closed, or is deleted under an open questionnaire. */

test('a database that never opens is reported within moments, and the questionnaire works', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest // never replies
  })
  await arriveAs(page, player, paths.test(player.instanceId))
  await answerAll(page, t, script.slice(0, 2))
  await expect(page.getByRole('alert').filter({ hasText: t('assessment:TestNotSavedOnDevice') })).toBeVisible()
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 2)))
  for (const question of script.slice(0, 2)) await expectAnswered(page, t, question)
})

workerTest('a database that the browser closes is opened again', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await page.addInitScript(() => {
    const opened: IDBDatabase[] = []
    const open = IDBFactory.prototype.open
    IDBFactory.prototype.open = function (...given) {
      const request = open.apply(this, given)
      request.addEventListener('success', () => opened.push(request.result))
      return request
    }
    // as iOS does after the app was in the background
    addEventListener('closeDatabases', () => {
      for (const database of opened) {
        database.close()
        database.dispatchEvent(new Event('close'))
      }
    })
  })
  await arriveAs(page, player, paths.test(player.instanceId))
  await answerAll(page, t, script.slice(0, 1))
  await page.evaluate(() => dispatchEvent(new Event('closeDatabases')))
  await answerAll(page, t, script.slice(1, 2))
  await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: t('assessment:TestNotSavedOnDevice') })).toBeHidden()
  await page.context().setOffline(true)
  await answerAll(page, t, script.slice(2, 3))
  await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: 1 }))).toBeVisible()
})

for (const line of ['online', 'offline'])
  workerTest(
    `answers not sent survive that all of the site’s data are deleted under them (${line})`,
    async ({ page, t, server, api, front }) => {
      const player = await newPlayer(server.url)
      const { instanceId } = player
      const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId } }))
      // with what a sign-in leaves on a device
      await page.goto(front.url + paths.login())
      await signInHere(page, t, api, player.email)
      await expectScreen(page, t, 'home', front.url + paths.home())
      await untilWorkerIsThere(page)
      await page.goto(front.url + paths.test(instanceId))
      await answerAll(page, t, script.slice(0, 1))
      await expect.poll(() => storedAnswers(player, instanceId)).toEqual(answersOf(script.slice(0, 1)))
      if (line === 'offline') await goOffline(page, t)
      else front.bend(/responses$/, refuseWith(503, 'UNAVAILABLE'))
      await answerAll(page, t, script.slice(1, 3))
      await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: 2 }))).toBeVisible()

      const browser = await page.context().newCDPSession(page)
      await browser.send('Storage.clearDataForOrigin', { origin: front.url, storageTypes: 'all' })
      await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
      if (line === 'online') front.bend(/responses$/, (_incoming, _reply, pass) => pass())
      else {
        await page.context().setOffline(false)
        // a page that is loaded anew has them from the disk alone
        await expect(async () => {
          await page.goto(front.url + paths.device())
          await expect(page.getByText(t('device:WaitsForSignIn'))).toBeVisible({ timeout: 2000 })
        }).toPass()
      }
      await signInHere(page, t, api, player.email)
      await expect.poll(() => storedAnswers(player, instanceId)).toEqual(answersOf(script.slice(0, 3)))
    },
  )

test('an answer changed after the database was deleted is not taken for another device’s', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url)
  const { instanceId } = player
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId } }))
  const [first, second] = script
  if (!first || !second) throw new Error('no questions')
  await arriveAs(page, player, paths.test(instanceId), { origin: front.url })
  await answerAll(page, t, [first])
  await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
  let saves = 0
  front.bend(/\/responses$/, (...given) => {
    saves += 1
    refuseWith(503, 'UNAVAILABLE')(...given)
  })
  await page.evaluate(
    () => new Promise((resolve) => indexedDB.deleteDatabase('touchline').addEventListener('success', () => resolve(undefined))),
  )
  // a save of a part of the ranking is tried, and repeated after the reload
  await answerAll(page, t, [{ ...second, items: second.items.slice(0, 1) }])
  await expect.poll(() => saves).toBeGreaterThan(0)
  await answerAll(page, t, [second])
  await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: 1 }))).toBeVisible()
  await page.reload()
  front.mend()
  await expect.poll(() => storedAnswers(player, instanceId), { timeout: 40_000 }).toEqual(answersOf([first, second]))
  await expectAnswered(page, t, second)
})

const LOSSES: Record<string, (page: Page, context: BrowserContext, origin: string) => Promise<void>> = {
  'site data cleared': async (page, context, origin) => {
    const devtools = await context.newCDPSession(page)
    await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' })
  },
  'database deleted': async (page) => {
    await page.evaluate(
      () => new Promise((resolve) => indexedDB.deleteDatabase('touchline').addEventListener('success', () => resolve(undefined))),
    )
  },
}

for (const [name, lose] of Object.entries(LOSSES)) {
  workerTest(`${name} under an open questionnaire: answers on screen are stored and sent again`, async ({ page, context, t, server }) => {
    const player = await newPlayer(server.url)
    const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
    const clear = () => lose(page, context, server.url)
    await arriveAs(page, player, paths.test(player.instanceId))
    await answerAll(page, t, script.slice(0, 1))
    await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
    await clear()
    await answerAll(page, t, script.slice(1, 2))
    await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 2)))
    await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()

    // without a connection, and without another tap
    await goOffline(page, t)
    await answerAll(page, t, script.slice(2, 4))
    await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: 2 }))).toBeVisible()
    await clear()
    await expect.poll(() => rowsOnDevice(page)).toEqual({ instances: 1, answers: 4, receipts: 2 })
    await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: 2 }))).toBeVisible()
    await goOnline(page, t)
    await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 4)))
  })
}

/** How many rows there are; never creates the database. */
async function rowsOnDevice(page: Page): Promise<Record<string, number>> {
  return page.evaluate(async () => {
    const names = ['instances', 'answers', 'receipts']
    const answerOf = <T>(request: IDBRequest<T>) =>
      new Promise<T | undefined>((resolve) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => resolve(undefined))
      })
    const opening = indexedDB.open('touchline')
    opening.addEventListener('upgradeneeded', () => opening.transaction?.abort())
    const database = await answerOf(opening)
    if (!database) return {}
    const counts = await Promise.all(names.map((name) => answerOf(database.transaction(name).objectStore(name).count())))
    database.close()
    return Object.fromEntries(names.map((name, at) => [name, counts[at] ?? -1]))
  })
}
