import type { Locator, Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { answersOf, newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { arriveAs, expect, goOffline, test, untilWorkerIsThere, workerTest } from './support/journey.ts'
import { expectAnswered, questionOf } from './support/questionnaire.ts'
import type { ProductServer } from './support/server.ts'

/** A single choice by touch or mouse moves to the next question; nothing else does. docs/decisions/0036 */

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

/** The rankings and so many more questions are answered: the next is a pair or an agreement. */
async function standingAt(page: Page, server: ProductServer, questions: number) {
  const player = await newPlayer(server.url, { questions })
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  const [here, next, third] = script.slice(questions)
  if (!here) throw new Error('There is no such question')
  await arriveAs(page, player, paths.test(player.instanceId))
  await expect(questionOf(page, here)).toBeVisible()
  /** the answer is on the server, long after a step would have been made */
  const isStored = (count: number) => expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, count)))
  return { player, script, here, next, third, isStored }
}

/** However slow the machine is, the next question comes in time. */
async function pauseClock(page: Page): Promise<void> {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1000)
}

async function tapTwice(radio: Locator): Promise<void> {
  await radio.tap()
  await radio.tap()
  await expect(radio).toBeChecked()
}

const option = (page: Page, question: { text: string; items: { says: string }[] }) =>
  page.getByRole('group', { name: question.text, exact: true }).getByRole('radio', { name: question.items[0]?.says ?? '', exact: true })

for (const [what, questions] of [
  ['a pair', 12],
  ['the last pair', 55],
  ['an agreement', 56],
] as const) {
  test(`${what} moves on by a touch, with the focus; Back returns`, async ({ page, t, server }) => {
    const { here, next } = await standingAt(page, server, questions)
    if (!next) throw new Error('There is no next question')
    await option(page, here).tap()
    await expect(questionOf(page, next)).toBeFocused()
    await expect(questionOf(page, here)).toHaveCount(0)
    await page.getByRole('button', { name: t('assessment:TestBack'), exact: true }).tap()
    await expectAnswered(page, t, here)
  })
}

test('a mouse click moves on too; keys and a screen reader’s clicks do not', async ({ page, t, server }) => {
  const { here, next, third, isStored } = await standingAt(page, server, 12)
  if (!next || !third) throw new Error('There is no next question')
  await option(page, here).click()
  await expect(questionOf(page, next)).toBeVisible()
  // the first of a pair by Space, then as a screen reader does it: a click without a press
  await questionOf(page, next).getByRole('radio').first().focus()
  await page.keyboard.press('Space')
  await option(page, next).evaluate((radio: HTMLInputElement) => radio.checked || radio.click())
  await isStored(14)
  await expect(questionOf(page, next)).toBeVisible()
  await page.getByRole('button', { name: t('assessment:TestNext'), exact: true }).click()
  await option(page, third).evaluate((radio) => radio.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 })))
  await isStored(15)
  await expect(questionOf(page, third)).toBeVisible()
})

test('a changed earlier answer stays on screen', async ({ page, t, server }) => {
  const { player, here, script } = await standingAt(page, server, 13)
  await page.getByRole('button', { name: t('assessment:TestBack'), exact: true }).tap()
  const before = script[12]
  if (!before) throw new Error('There is no earlier question')
  const changed = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }), 1).slice(12, 13)
  await questionOf(page, before)
    .getByRole('radio', { name: changed[0]?.items[0]?.says ?? '', exact: true })
    .tap()
  await expect.poll(() => storedAnswers(player, player.instanceId)).toMatchObject(answersOf(changed))
  await expect(questionOf(page, before)).toBeVisible()
  await expect(questionOf(page, here)).toHaveCount(0)
})

test('the last question does not move on: the player presses Submit', async ({ page, t, server }) => {
  const { here, isStored } = await standingAt(page, server, 75)
  await option(page, here).tap()
  await isStored(76)
  await expect(questionOf(page, here)).toBeVisible()
  await expect(page.getByRole('button', { name: t('assessment:TestSubmit'), exact: true })).toBeVisible()
})

workerTest('moving on stays switched off on this device, offline too', async ({ page, t, server }) => {
  const { here, next } = await standingAt(page, server, 12)
  if (!next) throw new Error('There is no next question')
  const movesOn = page.getByRole('switch', { name: t('assessment:TestMovesOn') })
  await expect(movesOn).toBeChecked()
  await untilWorkerIsThere(page)
  await goOffline(page, t)
  await movesOn.tap()
  await page.reload()
  await expect(movesOn).not.toBeChecked()
  await option(page, here).tap()
  await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: 1 }))).toBeVisible()
  await page.getByRole('button', { name: t('assessment:TestNext'), exact: true }).tap()
  await expect(questionOf(page, next)).toBeVisible()
  await movesOn.tap()
  await option(page, next).tap()
  await expect(questionOf(page, next)).toHaveCount(0)
})

test('pressing Next meanwhile makes one step, not two', async ({ page, t, server }) => {
  const { here, next, isStored } = await standingAt(page, server, 12)
  if (!next) throw new Error('There is no next question')
  await option(page, here).tap()
  await page.getByRole('button', { name: t('assessment:TestNext'), exact: true }).tap()
  await expect(questionOf(page, next)).toBeVisible()
  await isStored(13)
  await expect(questionOf(page, next)).toBeVisible()
})

test('two quick taps on the same choice leave it chosen and make one step', async ({ page, server }) => {
  const { here, next, isStored } = await standingAt(page, server, 12)
  if (!next) throw new Error('There is no next question')
  const radio = option(page, here)
  await pauseClock(page)
  await tapTwice(radio)
  await page.clock.resume()
  await isStored(13)
  await expect(questionOf(page, next)).toBeVisible()
})

test('two quick taps on the last question leave it chosen, a later one takes it back', async ({ page, server }) => {
  const { here, isStored } = await standingAt(page, server, 75)
  const radio = option(page, here)
  await pauseClock(page)
  await tapTwice(radio)
  await page.clock.runFor(600)
  await radio.tap()
  await expect(radio).not.toBeChecked()
  await page.clock.resume()
  await isStored(75)
})

test('the second tap of a double tap does not answer the question that has just come', async ({ page, server }) => {
  const { here, next, third, isStored } = await standingAt(page, server, 12)
  if (!next || !third) throw new Error('There is no next question')
  const given = questionOf(page, next).getByRole('radio', { checked: true })
  await pauseClock(page)
  await option(page, here).tap()
  await page.clock.runFor(310)
  await expect(questionOf(page, next)).toBeVisible()
  await option(page, next).tap({ force: true })
  await expect(given).toHaveCount(0)
  // a moment later the question takes taps
  await page.clock.runFor(310)
  await option(page, next).tap()
  await expect(given).toHaveCount(1)
  await page.clock.resume()
  await expect(questionOf(page, third)).toBeVisible()
  await isStored(14)
})

test('a question whose answer the disk refuses does not move on', async ({ page, t, server }) => {
  const { here, isStored } = await standingAt(page, server, 12)
  await page.evaluate(() => {
    const disk = { attempts: 0 }
    Object.assign(window, { disk })
    IDBObjectStore.prototype.put = () => {
      disk.attempts += 1
      throw new DOMException('The disk is full', 'QuotaExceededError')
    }
  })
  await option(page, here).tap()
  await expect(page.getByRole('alert').filter({ hasText: t('assessment:TestNotSavedOnDevice') })).toBeVisible()
  await isStored(13)
  // the write has been retried since, long after a step would have been made
  await expect.poll(() => page.evaluate(() => (window as unknown as { disk: { attempts: number } }).disk.attempts)).toBeGreaterThan(2)
  await expect(questionOf(page, here)).toBeVisible()
})
