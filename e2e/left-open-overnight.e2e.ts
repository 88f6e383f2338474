import type { Locator, Page } from '@playwright/test'
import type { EarlyStart } from '#app/early-start.ts'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { shortDay } from '#contract/rules/dates.ts'
import { newPlayer, scriptOf } from './support/api.ts'
import { newCoach } from './support/coach.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { answerAll } from './support/questionnaire.ts'
import { team } from './support/team-panel.ts'
import { startOf, type Words } from './support/words.ts'

/** A screen that stays open names the day of a time that is no longer today's. ANSWERS-3, HOME-19 */

/** The page's clock, ten minutes before midnight. */
async function beginInTheEvening(page: Page): Promise<Date> {
  const evening = new Date(new Date().setHours(23, 50, 0, 0))
  await page.clock.install({ time: evening })
  return evening
}

async function expectDayAfterMidnight(page: Page, line: Locator, evening: Date): Promise<void> {
  await expect(line).toHaveText(/ 23:5\d$/)
  const before = await line.innerText()
  await page.clock.fastForward('10:00')
  await expect(line).toHaveText(`${before}, ${shortDay(evening, 'en')}`)
}

test('the coach’s dashboard', async ({ page, t, server }) => {
  const evening = await beginInTheEvening(page)
  await arriveAs(page, await newCoach(server.url, { tokens: 1 }), paths.home())
  await expectDayAfterMidnight(page, team(page, t).getByText(startOf(t('team:UpdatedAt', { moment: '' }).trim())), evening)
})

/** A questionnaire with one answer, saved in the evening; its line about that. */
async function savedInTheEvening(page: Page, t: Words, url: string): Promise<{ line: Locator; evening: Date }> {
  const player = await newPlayer(url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } })).slice(0, 1)
  const evening = await beginInTheEvening(page)
  await arriveAs(page, player, paths.test(player.instanceId))
  await answerAll(page, t, script)
  // the same words on the dashboard
  const line = page.getByText(startOf(t('assessment:TestSavedToAccount', { time: '' }).trim()))
  await expect(line).toBeVisible()
  return { line, evening }
}

for (const screen of ['questionnaire', 'dashboard'] as const) {
  test(`the player’s ${screen}`, async ({ page, t, server }) => {
    const { line, evening } = await savedInTheEvening(page, t, server.url)
    if (screen === 'dashboard') await page.getByRole('button', { name: t('assessment:TestSaveAndExit') }).click()
    await expectDayAfterMidnight(page, line, evening)
  })
}

test('the questionnaire before React has arrived', async ({ page, t, server }) => {
  const { line, evening } = await savedInTheEvening(page, t, server.url)
  // the browser has it in its cache
  await page.route(/\/assets\/vendor-/, () => undefined)
  await page.reload()
  await expectDayAfterMidnight(page, line, evening)
  expect(await page.evaluate(() => (window as { earlyStart?: EarlyStart }).earlyStart?.isDrawn)).toBeUndefined()
})
