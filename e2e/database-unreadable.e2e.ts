import { isDeepStrictEqual } from 'node:util'
import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { answersOf, newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { installClock } from './support/clock.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { answerAll } from './support/questionnaire.ts'
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
