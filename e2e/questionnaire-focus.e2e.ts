import { paths } from '#app/paths.ts'
import { newPlayer } from './support/api.ts'
import { arriveAs, expect, goOffline, test, untilWorkerIsThere, workerTest } from './support/journey.ts'
import { startOf } from './support/words.ts'

/** A part that replaces another takes the focus and the title of the page. WCAG 2.4.2, 2.4.3 */

workerTest('focus and title follow a Submit offline after a cold start, and a return to the answers', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { questions: 76 })
  await arriveAs(page, player, paths.test(player.instanceId))
  await untilWorkerIsThere(page)
  const submit = page.getByRole('button', { name: t('assessment:TestSubmit') })
  await expect(submit).toBeVisible()
  await goOffline(page, t)
  await page.reload()
  await submit.click()
  const finished = page.getByRole('heading', { name: t('assessment:TestFinishedTitle') })
  await expect(finished).toBeFocused()
  await expect(page).toHaveTitle(startOf(t('assessment:TestFinishedTitle')))

  await page.getByRole('button', { name: t('assessment:TestChangeAnswers') }).click()
  await expect(page.getByRole('heading', { name: t('assessment:TestTitle') })).toBeFocused()
  await expect(page).toHaveTitle(startOf(t('assessment:TestTitle')))
  await submit.click()
  await expect(finished).toBeFocused()
  await page.reload()
  await expect(page).toHaveTitle(startOf(t('assessment:TestFinishedTitle')))
})

test('the result begins at its heading at 400 %, however far the questions were scrolled', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { questions: 76 })
  await page.setViewportSize({ width: 320, height: 256 })
  await arriveAs(page, player, paths.test(player.instanceId))
  const submit = page.getByRole('button', { name: t('assessment:TestSubmit') })
  await expect(submit).toBeVisible()
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await submit.press('Enter')
  await expect(page.getByRole('heading', { name: t('results:ResultsLimitsTitle') })).toBeVisible()
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toBeFocused()
  await expect(heading).toBeInViewport()
})

test('focus and title follow the way past the small-screen warning after a cold start', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  await page.setViewportSize({ width: 360, height: 740 })
  await arriveAs(page, player, paths.brief(player.instanceId))
  await page.getByRole('button', { name: t('brief:BriefMobileContinue') }).click()
  await expect(page.getByRole('link', { name: t('brief:BriefStart') })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('who scrolls right after the Tab key is not pulled back to what it reached', async ({ page, server }) => {
  const player = await newPlayer(server.url)
  await page.setViewportSize({ width: 1280, height: 700 })
  await arriveAs(page, player, paths.test(player.instanceId))
  await page.getByRole('radio').first().focus()
  await page.evaluate(scrollAtNextFocus)
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['pulled'])).toBe('0')
})

/** Runs in the page: turns the wheel in the frame after something takes the focus, and notes how far the page then moved by itself. */
function scrollAtNextFocus(): void {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const scroll = async () => {
    await frame()
    dispatchEvent(new WheelEvent('wheel', { deltaY: 1500 }))
    scrollBy(0, 1500)
    const left = scrollY
    for (let frames = 0; frames < 8; frames += 1) await frame()
    document.documentElement.dataset['pulled'] = String(Math.round(scrollY - left))
  }
  addEventListener('focusin', () => void scroll(), { once: true })
}
