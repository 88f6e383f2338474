import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { answersOf, newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { arriveAs, expect, goOffline, goOnline, workerTest as test } from './support/journey.ts'
import { answer, answerAll, expectAnswered } from './support/questionnaire.ts'
import { startOf } from './support/words.ts'

test('answers of two devices are merged, and the late one can be chosen with one tap', async ({ page: tablet, browser, t, server }) => {
  const player = await newPlayer(server.url)
  const read = await player.api.ask(instances.get, { params: { instanceId: player.instanceId } })
  const [onTablet, onPhone] = [scriptOf(read), scriptOf(read, 1)]
  const [first, second, third] = [onTablet[0], onTablet[1], onPhone[2]]
  const firstOnPhone = onPhone[0]
  if (!first || !second || !third || !firstOnPhone) throw new Error('too few questions')

  const other = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const phone = await other.newPage()
  await arriveAs(tablet, player, paths.test(player.instanceId))
  await arriveAs(phone, player, paths.test(player.instanceId))
  await expect(tablet.getByRole('group', { name: first.text, exact: true })).toBeVisible()
  await expect(phone.getByRole('group', { name: first.text, exact: true })).toBeVisible()

  await goOffline(tablet, t)
  await answerAll(tablet, t, [first, second])
  await answerAll(phone, t, [firstOnPhone, third])
  await expect(phone.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()

  await goOnline(tablet, t)
  const offer = tablet.getByRole('button', { name: t('assessment:TestLateTake') })
  await expect(offer).toBeVisible({ timeout: 30_000 })
  await expect(tablet.getByText(t('assessment:TestLate', { section: 1, number: 1, question: first.text }))).toBeVisible()
  await expectAnswered(tablet, t, firstOnPhone)
  expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf([firstOnPhone, second, third]))

  // the choice is named wherever the player signs out
  await tablet.getByRole('button', { name: t('assessment:TestSaveAndExit') }).click()
  await expect(tablet.getByText(t('player:LateOnDevice', { count: 1 }))).toBeVisible()
  await tablet.getByRole('button', { name: t('shell:MenuSignOut') }).click()
  const leaving = tablet.getByRole('dialog', { name: t('leaving:LateTitle', { count: 1 }) })
  await expect(leaving.getByText(t('leaving:LateText'))).toBeVisible()
  await leaving.getByRole('button', { name: t('leaving:StaySignedIn') }).click()
  await tablet.goBack()

  await offer.click()
  await expectAnswered(tablet, t, first)
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf([first, second, third]))
  await expect(offer).toBeHidden()
  await expect(tablet.getByRole('heading', { name: t('assessment:TestTitle') })).toBeFocused()
  await phone.reload()
  for (const question of [first, second, third]) await expectAnswered(phone, t, question)

  // clearing reaches the other device too
  const item = first.items[0]
  const group = phone.getByRole('group', { name: first.text, exact: true })
  await group
    .getByRole('radiogroup', { name: item?.text ?? '', exact: true })
    .getByRole('radio', { checked: true })
    .click()
  const cleared = { ...answersOf([first, second, third]) }
  delete cleared[item?.id ?? '']
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(cleared)
  await tablet.reload()
  await expect(tablet.getByRole('radiogroup', { name: item?.text ?? '', exact: true }).getByRole('radio', { checked: true })).toHaveCount(0)
  await answer(tablet, t, first)
  await other.close()
})

test.describe('two tabs', () => {
  // requests are held back here, which the worker would prevent
  test.use({ serviceWorkers: 'block' })

  test('answers sent by one tab are no longer unsent in the other', async ({ page: here, context, t, server }) => {
    const player = await newPlayer(server.url)
    const [first, second] = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
    if (!first || !second) throw new Error('no questions')
    const there = await context.newPage()
    for (const tab of [here, there]) await tab.route(/\/responses$/, (route) => route.abort())
    await arriveAs(here, player, paths.test(player.instanceId))
    await there.goto(server.url + paths.test(player.instanceId))
    await expect(there.getByRole('group', { name: first.text, exact: true })).toBeVisible()
    await answerAll(here, t, [first])
    for (const tab of [here, there]) await expect(tab.getByText(t('assessment:TestSavedOnDevice', { count: 1 }))).toBeVisible()
    await here.unroute(/\/responses$/)
    await answerAll(here, t, [second])
    const isSaved = (tab: Page) => expect(tab.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible({ timeout: 5_000 })
    await Promise.all([isSaved(here), isSaved(there)])
    expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf([first, second]))
  })
})
