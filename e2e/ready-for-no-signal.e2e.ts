import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { newPlayer, scriptOf, signInByApi, newAddress } from './support/api.ts'
import { newCoach } from './support/coach.ts'
import { arriveAs, expect, goOffline, goOnline, workerTest as test, untilWorkerIsThere } from './support/journey.ts'
import { fileMissing } from './support/front.ts'
import { speak } from './support/look.ts'
import { answerAll } from './support/questionnaire.ts'
import { give } from './support/tokens-panel.ts'
import { startOf } from './support/words.ts'

/** “Ready for no signal” is shown only if everything is stored, and missing parts are loaded by themselves. docs/decisions/0033 */

const READY = { timeout: 40_000 }

/** Names of the precache's entries; with `remove`, those that match are deleted. */
async function shellFiles(page: Page, remove?: RegExp): Promise<number> {
  return page.evaluate(async (pattern) => {
    let count = 0
    for (const name of (await caches.keys()).filter((one) => one.includes('precache'))) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        if (pattern !== undefined && new RegExp(pattern).test(request.url)) await cache.delete(request)
        else count += 1
      }
    }
    return count
  }, remove?.source)
}

test('app files evicted by the browser are loaded again, and the app opens without a connection', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.home())
  await untilWorkerIsThere(page)
  await expect(page.getByText(t('player:ReadyForNoSignal'), { exact: true })).toBeVisible(READY)
  const whole = await shellFiles(page)
  expect(whole).toBeGreaterThan(0)
  expect(await shellFiles(page, /./)).toBe(0)
  await page.reload()
  await expect(page.getByText(t('player:ReadyForNoSignal'), { exact: true })).toBeVisible(READY)
  expect(await shellFiles(page)).toBe(whole)
  await goOffline(page, t)
  await page.reload()
  await expect(page.getByText(t('player:ReadyForNoSignal'), { exact: true })).toBeVisible()
})

test('a device whose browser was killed before local storage reached the disk stays ready, with the whole dashboard', async ({
  page,
  t,
  server,
}) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.home())
  await untilWorkerIsThere(page)
  await expect(page.getByText(t('player:ReadyForNoSignal'), { exact: true })).toBeVisible(READY)
  await goOffline(page, t)
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith('touchline.reads.')) localStorage.removeItem(key)
  })
  await page.reload()
  await expect(page.getByText(t('player:ReadyForNoSignal'), { exact: true })).toBeVisible()
  await expect(page.getByText(startOf(t('parts:AsOf'))).first()).toBeVisible()
  await expect(page.getByText(t('home:BuyAnother'))).toBeVisible()
})

test('a device without one of the app’s files is not called ready, and says what is missing', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.home(), { origin: front.url })
  await untilWorkerIsThere(page)
  await expect(page.getByText(t('player:ReadyForNoSignal'), { exact: true })).toBeVisible(READY)
  await shellFiles(page, /results\.screen/)
  // the browser's own cache would supply it
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.clearBrowserCache')
  front.bend(/results\.screen/, fileMissing)
  await page.reload()
  await expect(page.getByText(t('player:LacksShell'))).toBeVisible(READY)
  await expect(page.getByText(t('player:ReadyForNoSignal'), { exact: true })).toBeHidden()
  front.mend()
  // one tap fetches it; the next try by itself would come half a minute later
  await page.getByRole('button', { name: t('player:FetchMissing') }).click()
  await expect(page.getByText(t('player:ReadyForNoSignal'), { exact: true })).toBeVisible()
})

test('questions opened directly in English work without a connection in French', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.test(player.instanceId))
  await expect(page.getByRole('heading', { name: t('assessment:TestTitle') })).toBeVisible()
  await untilWorkerIsThere(page)
  const isPrepared = () =>
    page.evaluate(async () => {
      const lists = await Promise.all(
        ['country', 'position', 'team-option'].map(async (part) => {
          for (const name of await caches.keys()) {
            const urls = (await (await caches.open(name)).keys()).map(({ url }) => url)
            if (urls.some((url) => url.includes('/api/reference-data/') && url.includes(part))) return true
          }
          return false
        }),
      )
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open('touchline')
        opening.addEventListener('success', () => resolve(opening.result))
        opening.addEventListener('error', () => reject(new Error('no database')))
      })
      const stored = await new Promise<number>((resolve) => {
        const counting = database.transaction('definitions').objectStore('definitions').count()
        counting.addEventListener('success', () => resolve(counting.result))
      })
      database.close()
      return lists.every(Boolean) && stored === 2
    })
  await expect.poll(isPrepared, READY).toBe(true)
  await goOffline(page, t)
  await speak(page, 'fr')
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }, 'fr'))
  await expect(page.getByRole('group', { name: script[0]?.text ?? 'none', exact: true })).toBeVisible()
})

test('questions missing in one language on the device are noticed and loaded again', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.home(), { origin: front.url })
  await untilWorkerIsThere(page)
  await expect(page.getByText(t('player:ReadyForNoSignal'), { exact: true })).toBeVisible(READY)
  await page.evaluate(
    (key) =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('touchline')
        opening.addEventListener('success', () => {
          const removing = opening.result.transaction('definitions', 'readwrite')
          removing.objectStore('definitions').delete([...key, 'fr'])
          removing.addEventListener('complete', () => {
            opening.result.close()
            resolve()
          })
        })
      }),
    [player.userId, player.instanceId],
  )
  front.bend(new RegExp(`/api/assessment/assessment-instance/${player.instanceId}|/media/content/`), fileMissing)
  await page.reload()
  await expect(page.getByText(t('player:LacksWords'))).toBeVisible(READY)
  await expect(page.getByText(t('player:ReadyForNoSignal'), { exact: true })).toBeHidden()
  front.mend()
  await page.reload()
  await expect(page.getByText(t('player:ReadyForNoSignal'), { exact: true })).toBeVisible(READY)
})

test('missing details are named, with a link to give them', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 1 })
  const newcomer = await signInByApi(server.url, newAddress())
  await give(coach, newcomer.email)
  await arriveAs(page, newcomer, paths.home())
  await untilWorkerIsThere(page)
  await expect(page.getByText(t('player:LacksDetails'))).toBeVisible(READY)
  await expect(page.getByText(t('player:ReadyForNoSignal'), { exact: true })).toBeHidden()
  await page.getByRole('link', { name: t('player:CompleteDetails') }).click()
  await expect(page.getByRole('heading', { name: t('details:ConfirmDetailsTitle') })).toBeVisible()
})

test('an assessment not stored on the device says so offline, and opens by itself with a connection', async ({
  page,
  t,
  server,
  front,
}) => {
  const player = await newPlayer(server.url)
  // the list arrives, the questions never do
  front.bend(new RegExp(`/api/assessment/assessment-instance/${player.instanceId}|/media/content/`), fileMissing)
  await arriveAs(page, player, paths.home(), { origin: front.url })
  await untilWorkerIsThere(page)
  const go = page.getByRole('link', { name: startOf(t('player:GoToAssessmentOf', { name: '' })) })
  await expect(go).toBeVisible()
  await goOffline(page, t)
  await expect(page.getByText(t('player:OpenOnceFirst'))).toBeVisible()
  await go.click()
  await expect(page.getByText(t('brief:BriefOpenOnceFirst'))).toBeVisible()
  await expect(page.getByText(t('brief:BriefBulletNoSignal'))).toBeHidden()
  await page.goto(front.url + paths.test(player.instanceId))
  await expect(page.getByText(t('assessment:NotOnDevice'))).toBeVisible()
  front.mend()
  await goOnline(page, t)
  await expect(page.getByRole('radio').first()).toBeVisible({ timeout: 40_000 })
  await expect(page.getByText(t('assessment:NotOnDevice'))).toBeHidden()
})

test('persistent storage is requested once, after the first answer is on the disk', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  await page.addInitScript(() => {
    navigator.storage.persist = () => {
      const asked = Number(localStorage.getItem('asked') ?? 0) + 1
      localStorage.setItem('asked', String(asked))
      return Promise.resolve(false)
    }
    navigator.storage.persisted = () => Promise.resolve(false)
  })
  const asked = () => page.evaluate(() => Number(localStorage.getItem('asked') ?? 0))
  await arriveAs(page, player, paths.test(player.instanceId))
  await expect(page.getByRole('heading', { name: t('assessment:TestTitle') })).toBeVisible()
  expect(await asked()).toBe(0)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await answerAll(page, t, script.slice(0, 2))
  await expect.poll(asked).toBe(1)
  await page.getByRole('button', { name: t('assessment:TestSaveAndExit') }).click()
  await expect(page.getByText(t('player:StorageMayClear'))).toBeVisible()
  await page.goto(paths.test(player.instanceId))
  await answerAll(page, t, script.slice(2, 3))
  await expect(page.getByText(startOf(t('assessment:TestSavedToAccount', { time: '' })))).toBeVisible()
  expect(await asked()).toBe(1)
})
