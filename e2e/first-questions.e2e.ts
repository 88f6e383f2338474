import type { Locator, Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { newPlayer, scriptOf } from './support/api.ts'
import { arriveAs, expect, expectAccessible, test, untilWorkerIsThere, workerTest } from './support/journey.ts'
import { questionOf, ratingOf } from './support/questionnaire.ts'
import { wordsOf } from './support/words.ts'
import { appOf, openWithoutApp } from './support/first-questions.ts'

/** The questions that the page shows before React has loaded, and React taking over from them. docs/decisions/0064 */

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

/** It has run by then, and waits for a finger or a key. */
async function untilTheAppWaits(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
}

async function middleOf(element: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  return { x: x + width / 2, y: y + height / 2 }
}

for (const language of ['en', 'fr'] as const) {
  test(`are answered, left and come back to before the app is there, and go on where they were (${language})`, async ({
    page,
    server,
    front,
  }) => {
    const t = wordsOf(language)
    const { script, question, app, player, stored } = await openWithoutApp(page, server, front, { language })
    await expect(page).toHaveTitle(new RegExp(`^${t('assessment:TestTitle')}`))
    await expectAccessible(page, `first questions, ${language}`)
    const [a, b, c, d] = question.items
    if (!a || !b || !c || !d) throw new Error('The first question is no ranking of four')
    for (const [at, { text }] of [a, b, c].entries()) await ratingOf(page, text, String(4 - at)).tap({ force: true })
    // the fourth fills itself in, and each number that is taken says by which statement
    await expect(ratingOf(page, d.text, '1')).toBeChecked()
    await expect(ratingOf(page, d.text, '4')).toBeDisabled()
    await expect(page.getByText(new RegExp(t('assessment:TestSavedOnDevice', { count: 1 }).replace(/[()]/g, '\\$&')))).toBeVisible()

    const second = script[1]
    if (!second) throw new Error('There is no second question')
    await page.getByRole('button', { name: t('assessment:TestNext'), exact: true }).tap()
    await expect(questionOf(page, second)).toBeVisible()
    await ratingOf(page, second.items[0]?.text ?? '', '2').tap({ force: true })
    await page.getByRole('button', { name: t('assessment:TestBack'), exact: true }).tap()
    await expect(ratingOf(page, a.text, '4')).toBeChecked()
    await page.getByRole('button', { name: t('assessment:TestNext'), exact: true }).tap()
    await expect(appOf(page, language)).toHaveCount(0)
    // after five seconds the page says why something has to wait
    await expect(page.getByRole('status').filter({ hasText: t('shell:WeakConnection') })).toBeVisible()

    app.open()
    await expect(appOf(page, language)).toBeVisible()
    await expect(questionOf(page, second)).toBeVisible()
    await expect(ratingOf(page, second.items[0]?.text ?? '', '2')).toBeChecked()
    await expect.poll(stored).toMatchObject({ [a.id]: '4', [b.id]: '3', [c.id]: '2', [d.id]: '1', [second.items[0]?.id ?? '']: '2' })
    // the first tap on the number that filled itself in confirms it, also now
    await page.getByRole('button', { name: t('assessment:TestBack'), exact: true }).tap()
    await ratingOf(page, d.text, '1').tap()
    await expect(ratingOf(page, d.text, '1')).toBeChecked()
    await page.getByRole('button', { name: t('assessment:TestNext'), exact: true }).tap()
    await page.reload()
    await expect(questionOf(page, second)).toBeVisible()
    expect(player.instanceId).not.toBe('')
  })
}

test('a tap that begins before React takes over is not lost', async ({ page, server, front }) => {
  const { question, app, stored } = await openWithoutApp(page, server, front)
  const [first] = question.items
  if (!first) throw new Error('The first question has no statement')
  const cell = await ratingOf(page, first.text, '3').boundingBox()
  await page.mouse.move((cell?.x ?? 0) + 10, (cell?.y ?? 0) + 10)
  await page.mouse.down()
  const arrived = page.waitForResponse(/\/assets\/vendor-/)
  app.open()
  await (await arrived).finished()
  // it has run by then, and waits for the finger
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  await page.mouse.up()
  await expect(appOf(page)).toBeVisible()
  await expect(ratingOf(page, first.text, '3')).toBeChecked()
  await expect.poll(stored).toMatchObject({ [first.id]: '3' })
})

test('the focus stays on the question when React takes over', async ({ page, server, front }) => {
  const { question, app } = await openWithoutApp(page, server, front)
  const [first, second] = question.items
  const radio = ratingOf(page, first?.text ?? '', '2')
  await radio.focus()
  await page.keyboard.press('2')
  await page.keyboard.press('Tab')
  const next = ratingOf(page, second?.text ?? '', '1')
  await expect(next).toBeFocused()
  app.open()
  await expect(appOf(page)).toBeVisible()
  await expect(next).toBeFocused()
  await expect(radio).toBeChecked()
})

test('single choices move on by themselves, on the second section too', async ({ page, server, front, t }) => {
  const { script, question, app } = await openWithoutApp(page, server, front, { questions: 30 })
  expect(question.type).not.toBe('likertscale')
  await questionOf(page, question)
    .getByRole('radio', { name: question.items[0]?.says ?? '', exact: true })
    .tap({ force: true })
  const next = script[31]
  if (!next) throw new Error('There is no next question')
  await expect(questionOf(page, next)).toBeVisible()
  await expect(questionOf(page, question)).toHaveCount(0)
  app.open()
  await expect(appOf(page)).toBeVisible()
  await expect(questionOf(page, next)).toBeVisible()
  await page.getByRole('button', { name: t('assessment:TestBack'), exact: true }).tap()
  await expect(questionOf(page, question).getByRole('radio', { checked: true })).toHaveCount(1)
})

test('an answer is shown again on a second visit on which the app does not come either', async ({ page, server, front }) => {
  const { question, app, stored } = await openWithoutApp(page, server, front)
  const [first] = question.items
  const radio = ratingOf(page, first?.text ?? '', '3')
  await radio.tap({ force: true })
  await page.reload()
  await expect(questionOf(page, question)).toBeVisible()
  await expect(appOf(page)).toHaveCount(0)
  await expect(radio).toBeChecked()
  app.open()
  await expect(appOf(page)).toBeVisible()
  await expect(radio).toBeChecked()
  await expect.poll(stored).toMatchObject({ [first?.id ?? '']: '3' })
})

test('the second half of a double tap does not answer the question that came by itself', async ({ page, server, front }) => {
  const { script, question, app, stored } = await openWithoutApp(page, server, front, { questions: 30 })
  const next = script[31]
  if (!next) throw new Error('There is no next question')
  const choice = questionOf(page, question).getByRole('radio').first()
  // at the first moment at which it is on screen, as no script is as quick as a finger
  const taken = page.evaluate(() => {
    const before = document.getElementById('section-panel')
    return new Promise((resolve) => {
      const look = () => {
        const panel = document.getElementById('section-panel')
        const choice = panel !== before && panel?.querySelector('.choice')
        if (choice) resolve(getComputedStyle(choice).pointerEvents)
        else requestAnimationFrame(look)
      }
      look()
    })
  })
  await choice.tap({ force: true })
  expect(await taken).toBe('none')
  await expect(questionOf(page, next)).toBeVisible()
  app.open()
  await expect(appOf(page)).toBeVisible()
  await expect(questionOf(page, next)).toBeVisible()
  await expect.poll(async () => Object.keys(await stored())).toContain(question.id)
})

test('a choice moves on although React takes over meanwhile', async ({ page, server, front }) => {
  const { script, question, app } = await openWithoutApp(page, server, front, { questions: 30 })
  const next = script[31]
  if (!next) throw new Error('There is no next question')
  // the tap comes while the app waits for a finger
  const { x, y } = await middleOf(page.getByRole('heading', { level: 1 }))
  await page.mouse.move(x, y)
  await page.mouse.down()
  app.open()
  await untilTheAppWaits(page)
  // where a finger would, as React may replace the element meanwhile
  const choice = await middleOf(questionOf(page, question).locator('.choice').first())
  await page.mouse.up()
  await page.touchscreen.tap(choice.x, choice.y)
  await expect(appOf(page)).toBeVisible()
  await expect(questionOf(page, next)).toBeVisible()
})

test('a key that is pressed before React takes over and let go after it is not lost', async ({ page, server, front }) => {
  const { question, app, stored } = await openWithoutApp(page, server, front)
  const [first] = question.items
  const radio = ratingOf(page, first?.text ?? '', '2')
  await radio.focus()
  await page.keyboard.down(' ')
  app.open()
  await untilTheAppWaits(page)
  await page.keyboard.up(' ')
  await expect(appOf(page)).toBeVisible()
  await expect(radio).toBeChecked()
  await expect.poll(stored).toMatchObject({ [first?.id ?? '']: '2' })
})

test('keys lead along the tabs, and the focus stays there while answers are saved', async ({ page, server, front, t }) => {
  const { question } = await openWithoutApp(page, server, front)
  const tabs = page.getByRole('tab')
  await ratingOf(page, question.items[0]?.text ?? '', '2').focus()
  await page.keyboard.press('2')
  await tabs.first().focus()
  await expect(page.getByText(new RegExp(t('assessment:TestSavedOnDevice', { count: 1 }).replace(/[()]/g, '\\$&')))).toBeVisible()
  await expect(tabs.first()).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(tabs.nth(1)).toBeFocused()
  await expect(tabs.nth(1)).toHaveAttribute('aria-selected', 'true')
})

test.describe('on a wide screen', () => {
  test.use({ viewport: { width: 1280, height: 800 } })

  test('what is in view stays where it is when React takes over', async ({ page, server, front }) => {
    const { script, app } = await openWithoutApp(page, server, front, { questions: 36 })
    const seen = script[45]
    if (!seen) throw new Error('There are not so many questions')
    await questionOf(page, seen).scrollIntoViewIfNeeded()
    await questionOf(page, seen).getByRole('radio').first().click({ force: true })
    const before = (await questionOf(page, seen).boundingBox())?.y ?? 0
    app.open()
    await expect(appOf(page)).toBeVisible()
    await expect.poll(async () => Math.abs(((await questionOf(page, seen).boundingBox())?.y ?? 0) - before)).toBeLessThan(3)
  })

  test('a phone that is turned stays at the question, with its focus', async ({ page, server, front }) => {
    const { script, app } = await openWithoutApp(page, server, front, { questions: 30 })
    const seen = script[40]
    if (!seen) throw new Error('There are not so many questions')
    const choice = questionOf(page, seen).getByRole('radio').first()
    await choice.click({ force: true })
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(choice).toBeFocused()
    await page.setViewportSize({ width: 1280, height: 800 })
    await expect(choice).toBeFocused()
    await expect(choice).toBeInViewport()
    app.open()
    await expect(appOf(page)).toBeVisible()
    await expect(choice).toBeFocused()
    await expect(choice).toBeInViewport()
  })
})
workerTest(
  'come from the device without a connection, and a tap on them is there after a kill',
  async ({ page, server, front, context }) => {
    const player = await newPlayer(server.url)
    await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
    await untilWorkerIsThere(page)
    await expect(appOf(page)).toBeVisible()
    const [question] = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
    const first = question?.items[0]
    if (!question || !first) throw new Error('There is no question')
    await context.setOffline(true)
    await page.addInitScript(() => {
      // the first moment at which it can be answered: React has not run
      const look = () => {
        const radio = document.querySelector<HTMLInputElement>('input[type=radio]:enabled')
        if (!radio) return requestAnimationFrame(look)
        radio.click()
      }
      requestAnimationFrame(look)
    })
    await page.reload()
    await expect(questionOf(page, question).getByRole('radio', { checked: true })).toHaveCount(1)
    await page.close()
    const again = await context.newPage()
    await again.goto(front.url + paths.test(player.instanceId))
    await expect(questionOf(again, question).getByRole('radio', { checked: true })).toHaveCount(1)
  },
)

workerTest('are not delayed by the rest of the app, which the worker has, too', async ({ page, server, context }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.test(player.instanceId))
  await untilWorkerIsThere(page)
  await context.setOffline(true)
  await page.addInitScript(() => {
    new MutationObserver((_, looking) => {
      if (!document.querySelector('input[type=radio]:enabled')) return
      performance.mark('questions')
      looking.disconnect()
    }).observe(document, { childList: true, subtree: true })
  })
  await page.reload()
  await expect(appOf(page)).toBeVisible()
  const isLater = () => {
    const react = performance.getEntriesByType('resource').find(({ name }) => name.includes('/assets/vendor-'))
    const [questions] = performance.getEntriesByName('questions')
    return react && questions && react.startTime > questions.startTime
  }
  expect(await page.evaluate(isLater)).toBe(true)
})
