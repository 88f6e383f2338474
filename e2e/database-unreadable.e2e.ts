import { isDeepStrictEqual } from 'node:util'
import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { answersOf, newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { installClock } from './support/clock.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { answerAll, expectAnswered } from './support/questionnaire.ts'
import { startOf } from './support/words.ts'

for (const how of ['refuses to open', 'never opens'] as const) {
  test(`a database that the browser ${how} is named on dashboard and brief`, async ({ page, t, server }) => {
    const player = await newPlayer(server.url, { questions: 3 })
    const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
    await installClosedDatabase(page, how)
    const clock = await installClock(page)
    await arriveAs(page, player, paths.home())
    const notice = page.getByText(t('parts:DeviceUnreadable'))
    await clock.passUntil(() => notice.isVisible())
    await expect(page.getByText(t('parts:DeviceUnreadableDo'))).toBeVisible()
    await page.goto(paths.brief(player.instanceId))
    await clock.passUntil(() => notice.isVisible())
    for (const untrue of ['brief:BriefBulletPause', 'brief:BriefBulletNoSignal'] as const)
      await expect(page.getByText(t(untrue))).toBeHidden()

    // as the notice says, answers go to the account
    await page.getByRole('link', { name: t('brief:BriefContinue') }).click()
    await answerAll(page, t, script.slice(3, 4))
    await clock.passUntil(async () => isDeepStrictEqual(await storedAnswers(player, player.instanceId), answersOf(script.slice(0, 4))))

    await page.goto(paths.home())
    await clock.passUntil(() => notice.isVisible())
    await page.evaluate(() => dispatchEvent(new Event('databaseOpens')))
    await clock.passUntil(() => notice.isHidden())
    // and the next answer is on the disk, also where the request of before is never answered
    await page.goto(paths.test(player.instanceId))
    await expect(page.getByRole('radio').first()).toBeVisible()
    await page.evaluate(() => dispatchEvent(new Event('databaseOpens')))
    await answerAll(page, t, script.slice(4, 5))
    await clock.passUntil(() => page.getByText(t('assessment:TestNotSavedOnDevice')).isHidden())
    await clock.passUntil(() => page.getByText(startOf(t('assessment:TestSavedToAccount'))).isVisible())
    const stored = () =>
      page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const opening = indexedDB.open('touchline')
            opening.onsuccess = () => {
              const counting = opening.result.transaction('answers').objectStore('answers').count()
              counting.onsuccess = () => {
                opening.result.close()
                resolve(counting.result)
              }
            }
          }),
      )
    await clock.passUntil(async () => (await stored()) >= 5)
  })
}

test('answers that the device stores and cannot read are sent from the page, which says that they are not saved', async ({
  page,
  t,
  server,
}) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await installFailingReads(page)
  await arriveAs(page, player, paths.test(player.instanceId))
  await answerAll(page, t, script.slice(0, 1))
  await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()

  await page.evaluate(() => dispatchEvent(new Event('readsFail')))
  await answerAll(page, t, script.slice(1, 3))
  const trouble = page.getByRole('alert').filter({ hasText: t('assessment:TestNotSavedOnDevice') })
  await expect(trouble).toBeVisible()
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 3)))

  await page.evaluate(() => dispatchEvent(new Event('readsWork')))
  await expect(trouble).toBeHidden()
  await answerAll(page, t, script.slice(3, 4))
  await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
  expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 4)))
  await page.reload()
  for (const question of script.slice(0, 4)) await expectAnswered(page, t, question)
})

/** From the event `readsFail` to `readsWork`, what the database stores cannot be read, as in a damaged file. */
async function installFailingReads(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let areFailing = false
    addEventListener('readsFail', () => (areFailing = true))
    addEventListener('readsWork', () => (areFailing = false))
    const reads = ['get', 'getAll', 'getAllKeys', 'getKey', 'count', 'openCursor', 'openKeyCursor'] as const
    for (const { prototype } of [IDBObjectStore, IDBIndex])
      for (const name of reads) {
        const read = prototype[name] as (...given: unknown[]) => IDBRequest
        Object.assign(prototype, {
          [name](this: IDBObjectStore | IDBIndex, ...given: unknown[]) {
            if (areFailing) throw new DOMException('Internal error.', 'UnknownError')
            return read.apply(this, given)
          },
        })
      }
  })
}

/** The browser opens no database of ours until the event `databaseOpens`. */
async function installClosedDatabase(page: Page, how: 'refuses to open' | 'never opens'): Promise<void> {
  await page.addInitScript((how) => {
    const open = IDBFactory.prototype.open
    let isClosed = true
    addEventListener('databaseOpens', () => (isClosed = false))
    IDBFactory.prototype.open = function (name, ...given) {
      if (!isClosed || name !== 'touchline') return open.call(this, name, ...given)
      if (how === 'refuses to open') throw new DOMException('The user denied permission to access the database', 'SecurityError')
      return new EventTarget() as IDBOpenDBRequest
    }
  }, how)
}
