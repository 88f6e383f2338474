import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { arriveAs, expect, goOffline, test, untilWorkerIsThere, workerTest } from './support/journey.ts'
import { listenToAnnouncer, questionOf, ratingOf } from './support/questionnaire.ts'
import type { ProductServer } from './support/server.ts'
import { wordsOf } from './support/words.ts'

/** A ranking group by touch and by keyboard. QUESTIONS-5 to QUESTIONS-9 */

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

async function atTheFirst(page: Page, server: ProductServer) {
  const player = await newPlayer(server.url)
  const [question] = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  const [a, b, c, d] = question?.items ?? []
  if (!question || !a || !b || !c || !d) throw new Error('The first question is no ranking of four')
  await arriveAs(page, player, paths.test(player.instanceId))
  await expect(questionOf(page, question)).toBeVisible()
  /** The last number, 1, then fills itself in for the fourth statement. */
  const giveThree = async () => {
    for (const [at, { text }] of [a, b, c].entries()) await tap(page, text, String(4 - at))
  }
  return { player, question, a, b, c, d, giveThree, stored: () => storedAnswers(player, player.instanceId) }
}

/** Taps the cell, even if its radio is disabled. */
const tap = async (page: Page, statement: string, rating: string) => ratingOf(page, statement, rating).tap({ force: true })

test('a ranking explains itself, three taps give all four numbers, and the last is announced', async ({ page, t, server }) => {
  const { question, a, b, c, d, stored } = await atTheFirst(page, server)
  await expect(page.getByText(t('assessment:TestRankingHow'))).toBeVisible()
  await expect(questionOf(page, question)).toHaveAccessibleDescription('Use each number once: 4 is most like you.')
  const said = await listenToAnnouncer(page)
  await tap(page, a.text, '4')
  await tap(page, b.text, '2')
  await tap(page, c.text, '1')
  await expect(ratingOf(page, d.text, '3')).toBeChecked()
  await expect.poll(said).toEqual([t('assessment:TestRatingFilled', { other: '3', statement: d.text })])
  // a tap already on its way to the fourth statement clears nothing
  await tap(page, d.text, '3')
  await expect.poll(stored).toEqual({ [a.id]: '4', [b.id]: '2', [c.id]: '1', [d.id]: '3' })
  await expect(ratingOf(page, d.text, '3')).toBeChecked()
})

for (const language of ['en', 'fr'] as const) {
  test(`the statement that filled itself in is fully above the bar on a low phone (${language})`, async ({ page, server }) => {
    await page.setViewportSize({ width: 390, height: 760 })
    const player = await newPlayer(server.url)
    await arriveAs(page, player, paths.test(player.instanceId), { language })
    const rows = page.getByRole('radiogroup')
    const next = page.getByRole('button', { name: wordsOf(language)('assessment:TestNext'), exact: true })
    for (const [row, number] of [3, 2, 1].entries()) await rows.nth(row).getByRole('radio').nth(number).tap()
    const filled = rows.nth(3)
    await expect(filled.getByRole('radio').first()).toBeChecked()
    // the bar is as high as its button and the padding
    await expect
      .poll(async () => {
        const [row, button] = [await filled.boundingBox(), await next.boundingBox()]
        return (row?.y ?? Infinity) + (row?.height ?? 0) <= (button?.y ?? 0) - 8
      })
      .toBe(true)
  })
}

for (const language of ['en', 'fr'] as const) {
  test(`the message above a ranking is fully visible and covers no row (${language})`, async ({ page, server }) => {
    const player = await newPlayer(server.url)
    for (const size of [
      { width: 390, height: 760 },
      { width: 320, height: 640 },
    ]) {
      await page.setViewportSize(size)
      await arriveAs(page, player, paths.test(player.instanceId), { language })
      const how = page.getByText(wordsOf(language)('assessment:TestRankingHow'))
      await expect(how).toBeVisible()
      await expect.poll(() => how.evaluate(linesOutOfSight), `${size.width} px`).toEqual([])
    }
    await page.setViewportSize({ width: 390, height: 760 })
    const next = page.getByRole('button', { name: wordsOf(language)('assessment:TestNext'), exact: true })
    const [row, button] = [await page.getByRole('radiogroup').nth(3).boundingBox(), await next.boundingBox()]
    expect((row?.y ?? Infinity) + (row?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0)
  })
}

/** Runs in the page: lines of a text whose top or bottom is covered or cut off. */
function linesOutOfSight(text: Element): string[] {
  const range = document.createRange()
  range.selectNodeContents(text)
  const lines = [...range.getClientRects()].filter(({ width }) => width > 0)
  const isSeen = (x: number, y: number) => document.elementFromPoint(x, y)?.closest('p') === text.closest('p')
  return (
    lines
      // in its middle, as the card's corners are round
      .map(({ left, right, top, bottom }) => ({ x: (left + right) / 2, top, bottom }))
      .filter(({ x, top, bottom }) => !isSeen(x, top + 1) || !isSeen(x, bottom - 1))
      .map(({ top, bottom }) => `a line from ${top} to ${bottom}`)
  )
}

test('a tap on a used number moves it here and says so, and another tap undoes it', async ({ page, t, server }) => {
  const { a, b, stored } = await atTheFirst(page, server)
  const said = await listenToAnnouncer(page)
  await tap(page, a.text, '4')
  await expect(ratingOf(page, b.text, '4')).toBeDisabled()
  await tap(page, b.text, '4')
  await expect(ratingOf(page, b.text, '4')).toBeChecked()
  await expect(ratingOf(page, a.text, '4')).not.toBeChecked()
  await expect.poll(said).toEqual([t('assessment:TestRatingMoved', { rating: '4', statement: a.text })])
  await expect.poll(stored).toEqual({ [b.id]: '4' })
  await tap(page, a.text, '4')
  await expect.poll(stored).toEqual({ [a.id]: '4' })
})

test('the first tap on a number that filled itself in confirms it after a reload and after Clear was undone, too', async ({
  page,
  t,
  server,
}) => {
  const { question, a, b, c, d, giveThree, stored } = await atTheFirst(page, server)
  const full = { [a.id]: '4', [b.id]: '3', [c.id]: '2', [d.id]: '1' }
  const last = ratingOf(page, d.text, '1')
  await giveThree()
  await expect.poll(stored).toEqual(full)
  await page.reload()
  await page.getByRole('button', { name: t('assessment:TestBack'), exact: true }).tap()
  await expect(last).toBeChecked()
  await tap(page, d.text, '1')
  await expect(last).toBeChecked()
  await tap(page, d.text, '1')
  await expect(last).not.toBeChecked()

  await page.getByRole('button', { name: t('assessment:TestClearOf', { question: question.text }) }).tap()
  await giveThree()
  await page.getByRole('button', { name: t('assessment:TestClearOf', { question: question.text }) }).tap()
  await expect(last).not.toBeChecked()
  await page.getByRole('button', { name: t('assessment:TestClearUndoOf', { question: question.text }) }).tap()
  await last.press('Space')
  await expect(last).toBeChecked()
  await last.press('Space')
  await expect(last).not.toBeChecked()
  await expect.poll(stored).toEqual({ [a.id]: '4', [b.id]: '3', [c.id]: '2' })
})

test('two statements trade places in a full ranking', async ({ page, t, server }) => {
  const { a, b, c, d, stored, giveThree } = await atTheFirst(page, server)
  await giveThree()
  await expect(ratingOf(page, d.text, '1')).toBeChecked()
  const said = await listenToAnnouncer(page)
  await tap(page, d.text, '4')
  await expect(ratingOf(page, a.text, '1')).toBeChecked()
  await expect.poll(said).toContain(t('assessment:TestRatingSwapped', { rating: '4', statement: a.text, other: '1' }))
  await expect.poll(stored).toEqual({ [a.id]: '1', [b.id]: '3', [c.id]: '2', [d.id]: '4' })
})

test('a cleared number stays clear until only one number is left', async ({ page, server }) => {
  const { question, a, b, c, d, stored, giveThree } = await atTheFirst(page, server)
  await giveThree()
  await ratingOf(page, d.text, '1').focus()
  await page.keyboard.press('Delete')
  await expect.poll(stored).toEqual({ [a.id]: '4', [b.id]: '3', [c.id]: '2' })
  await tap(page, c.text, '2')
  await expect.poll(stored).toEqual({ [a.id]: '4', [b.id]: '3' })
  await expect(questionOf(page, question).getByRole('radio', { checked: true })).toHaveCount(2)
  await tap(page, d.text, '2')
  await expect.poll(stored).toEqual({ [a.id]: '4', [b.id]: '3', [c.id]: '1', [d.id]: '2' })
})

workerTest('Clear empties the group and can be undone, offline and over a reload', async ({ page, t, server }) => {
  const { question, a, b, player } = await atTheFirst(page, server)
  const clear = page.getByRole('button', { name: t('assessment:TestClearOf', { question: question.text }), exact: true })
  const undo = page.getByRole('button', { name: t('assessment:TestClearUndoOf', { question: question.text }), exact: true })
  const given = questionOf(page, question).getByRole('radio', { checked: true })
  await untilWorkerIsThere(page)
  await goOffline(page, t)
  await tap(page, a.text, '4')
  await tap(page, b.text, '1')
  const size = await clear.boundingBox()
  expect(Math.min(size?.width ?? 0, size?.height ?? 0)).toBeGreaterThanOrEqual(48)
  await clear.tap()
  await expect(given).toHaveCount(0)
  await undo.tap()
  await expect(ratingOf(page, a.text, '4')).toBeChecked()
  await expect(ratingOf(page, b.text, '1')).toBeChecked()
  await clear.tap()
  await page.reload()
  await expect(questionOf(page, question)).toBeVisible()
  await expect(given).toHaveCount(0)
  await page.context().setOffline(false)
  await tap(page, b.text, '2')
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual({ [b.id]: '2' })
})

test('keys rearrange a full ranking: arrows trade places, Space and Delete clear', async ({ page, server }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  const { question, a, b, c, d, stored } = await atTheFirst(page, server)
  const row = page.getByRole('radiogroup', { name: a.text, exact: true })
  await expect(row).toHaveAttribute('aria-keyshortcuts', '1 2 3 4 Delete')
  await ratingOf(page, a.text, '1').focus()
  for (const key of ['4', 'Tab', '3', 'Tab', '2']) await page.keyboard.press(key)
  await expect(ratingOf(page, d.text, '1')).toBeChecked()
  await page.keyboard.press('Tab')
  await expect(ratingOf(page, d.text, '1')).toBeFocused()
  for (const key of ['ArrowRight', 'ArrowDown']) await page.keyboard.press(key)
  await expect(ratingOf(page, d.text, '3')).toBeFocused()
  await expect.poll(stored).toEqual({ [a.id]: '4', [b.id]: '2', [c.id]: '1', [d.id]: '3' })
  await page.keyboard.press('Space')
  await expect(ratingOf(page, d.text, '3')).not.toBeChecked()
  await expect.poll(stored).toEqual({ [a.id]: '4', [b.id]: '2', [c.id]: '1' })
  await page.keyboard.press('Space')
  await expect(ratingOf(page, d.text, '3')).toBeChecked()
  await expect(questionOf(page, question).getByRole('radio', { checked: true })).toHaveCount(4)
})

test('the keys are explained if there is a keyboard, and not on touch screens', async ({ page, browser, t, server }) => {
  const { player, question } = await atTheFirst(page, server)
  await expect(page.getByText(t('assessment:TestRankingKeys'))).toBeHidden()
  const desk = await browser.newContext({ viewport: { width: 1280, height: 800 }, hasTouch: false })
  const wide = await desk.newPage()
  await arriveAs(wide, player, paths.test(player.instanceId))
  await expect(wide.getByText(t('assessment:TestRankingKeys'))).toBeVisible()
  await expect(questionOf(wide, question)).toHaveAccessibleDescription(
    `${t('assessment:TestRankingHow')} ${t('assessment:TestRankingKeys')}`,
  )
  await wide.setViewportSize({ width: 390, height: 760 })
  for (const language of ['en', 'fr'] as const) {
    await arriveAs(wide, player, paths.test(player.instanceId), { language })
    const keys = wide.getByText(wordsOf(language)('assessment:TestRankingKeys'))
    await expect(keys).toBeVisible()
    await expect.poll(() => keys.evaluate(linesOutOfSight), language).toEqual([])
  }
  await desk.close()
})

for (const reducedMotion of ['reduce', 'no-preference'] as const) {
  test(`the statement that lost its number ${reducedMotion === 'reduce' ? 'stays still' : 'glows'} (${reducedMotion})`, async ({
    page,
    server,
  }) => {
    await page.emulateMedia({ reducedMotion })
    const { a, b } = await atTheFirst(page, server)
    // an animation may end before it could be checked
    await page.evaluate(() => {
      const glowing: (string | null)[] = []
      Object.assign(window, { glowing })
      const animate = Element.prototype.animate
      Element.prototype.animate = function (...given) {
        glowing.push(this.textContent)
        return animate.apply(this, given)
      }
    })
    await tap(page, a.text, '4')
    await tap(page, b.text, '4')
    await expect(ratingOf(page, b.text, '4')).toBeChecked()
    const glowing = await page.evaluate(() => (window as unknown as { glowing: string[] }).glowing) // put there above
    expect(glowing.map((text) => text.includes(a.text))).toEqual(reducedMotion === 'reduce' ? [] : [true])
  })
}
