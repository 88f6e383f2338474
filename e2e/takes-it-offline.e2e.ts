import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { answersOf, newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { arriveAs, expect, goOffline, goOnline, killTab, workerTest as test, untilWorkerIsThere } from './support/journey.ts'
import { KillableBrowser } from './support/killable-browser.ts'
import { answer, answerAll, choiceOf, expectAnswered, show } from './support/questionnaire.ts'
import { startOf } from './support/words.ts'
import { expectScreen } from './support/screens.ts'

test('an assessment begun online and finished offline survives a dead tab and is sent by itself', async ({ page, context, t, server }) => {
  const player = await newPlayer(server.url, { questions: 50 })
  const path = paths.test(player.instanceId)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  const left = script.slice(50)
  await arriveAs(page, player, path)
  await untilWorkerIsThere(page)
  await answerAll(page, t, left.slice(0, 2))
  await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()

  await goOffline(page, t)
  await answerAll(page, t, left.slice(2, 10))
  await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: 8 }))).toBeVisible()
  await killTab(page)

  const again = await context.newPage()
  await again.goto(path)
  for (const question of left.slice(2, 6)) await expectAnswered(again, t, question)
  await again.reload()
  await answerAll(again, t, left.slice(10))
  await again.getByRole('button', { name: t('assessment:TestSubmit') }).click()
  await expect(again.getByRole('heading', { name: t('assessment:TestFinishedTitle') })).toBeVisible()
  await expect(again.getByText(t('assessment:TestFinishedWaiting'))).toBeVisible()

  await goOnline(again, t)
  await expectScreen(again, t, 'results', paths.results(player.instanceId), { timeout: 30_000 })
  await expect(again.getByRole('heading', { name: t('results:ResultsOverviewTitle') })).toBeVisible()
  expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script))

  // results shown once can be read without a connection
  await goOffline(again, t)
  await again.reload()
  await expect(again.getByRole('heading', { name: t('results:ResultsOverviewTitle') })).toBeVisible()
})

test('an assessment made ready by the dashboard can be begun without a connection', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  const wide = page.viewportSize()
  if (!wide) throw new Error('the page has no size')
  // nothing on the card moves when it says so
  await page.setViewportSize({ width: 390, height: 844 })
  await arriveAs(page, player, paths.home())
  const go = page.getByRole('link', { name: startOf(t('player:GoToAssessmentOf', { name: '' })) })
  await expect(go).toBeVisible()
  const before = await go.boundingBox()
  await untilWorkerIsThere(page)
  await expect(page.getByText(t('player:ReadyForNoSignal'))).toBeVisible({ timeout: 30_000 })
  expect(await go.boundingBox()).toEqual(before)
  await page.setViewportSize(wide)
  await goOffline(page, t)
  await page.reload()
  await go.click()
  await page.getByRole('link', { name: t('brief:BriefStart') }).click()
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await answerAll(page, t, script.slice(0, 2))
  await page.getByRole('button', { name: t('assessment:TestSaveAndExit') }).click()
  await expect(page.getByText(t('player:SavedOnDevice', { count: 2 }))).toBeVisible()
  await goOnline(page, t)
  await expect(page.getByText(startOf(t('player:SavedToAccount')))).toBeVisible({ timeout: 30_000 })
  expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 2)))
})

test('no answer is lost if the whole browser is killed while answering offline', async ({ t, server }) => {
  // three starts of a browser
  test.slow()
  const player = await newPlayer(server.url)
  const path = server.url + paths.test(player.instanceId)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  const browser = await KillableBrowser.make()
  try {
    const first = await browser.open()
    await arriveAs(first, player, paths.home())
    await expect(first.getByText(t('player:ReadyForNoSignal'))).toBeVisible({ timeout: 30_000 })
    await browser.close()

    const offline = await browser.open()
    await offline.context().setOffline(true)
    await offline.goto(path)
    for (const question of script.slice(0, 5)) await answer(offline, t, question)
    await expect(offline.getByText(t('assessment:TestSavedOnDevice', { count: 5 }))).toBeVisible()
    await browser.kill()

    const again = await browser.open()
    await again.context().setOffline(true)
    await again.goto(path)
    for (const question of script.slice(0, 5)) await expectAnswered(again, t, question)
    await again.context().setOffline(false)
    await expect(again.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible({ timeout: 30_000 })
    expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 5)))
  } finally {
    await browser.throwAway()
  }
})

test('a tap is stored even if the page reloads at the same moment', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await arriveAs(page, player, paths.test(player.instanceId))
  await untilWorkerIsThere(page)
  await goOffline(page, t)
  const choices = script.filter(({ type }) => type !== 'likertscale').slice(0, 6)
  for (const question of choices) {
    const reloaded = page.waitForEvent('load')
    await show(page, t, question)
    await page.evaluate(() => addEventListener('click', () => location.reload(), { once: true }))
    await choiceOf(page, question).click({ noWaitAfter: true })
    await reloaded
    await expectAnswered(page, t, question)
  }
})

test('the page begins to open the device’s database before the app has loaded', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.test(player.instanceId))
  await untilWorkerIsThere(page)
  await goOffline(page, t)
  await page.addInitScript(() => {
    const open = indexedDB.open.bind(indexedDB)
    const opened: boolean[] = []
    Object.assign(window, { opened })
    indexedDB.open = (name: string, version?: number) => {
      if (name === 'touchline') opened.push(document.readyState === 'loading')
      return open(name, version)
    }
  })
  await page.reload()
  await expect(page.getByRole('radio').first()).toBeVisible()
  expect(await page.evaluate(() => (window as typeof window & { opened: boolean[] }).opened[0])).toBe(true)
})

test('the first tap on a new device is stored before the database library has loaded', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url)
  const [first] = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  if (!first) throw new Error('The questionnaire has no question')
  front.bend(/^\/assets\/sending-/, () => undefined)
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await answer(page, t, first)
  const stored = () =>
    page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const opening = indexedDB.open('touchline')
          opening.onsuccess = () => {
            const rows = opening.result.transaction('answers').objectStore('answers').getAll()
            rows.onsuccess = () => resolve(rows.result.map(({ questionId }: { questionId: string }) => questionId))
          }
          opening.onerror = () => reject(new Error('not opened'))
        }),
    )
  await expect.poll(stored).toEqual([first.id])
  await expect(page.getByText(t('assessment:TestNotSavedOnDevice'))).toBeHidden()
})
