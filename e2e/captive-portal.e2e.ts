import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { answersOf, newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { captivePortal, keptPortal } from './support/front.ts'
import { arriveAs, expect, test, workerTest, untilWorkerIsThere } from './support/journey.ts'
import { answerAll, expectAnswered } from './support/questionnaire.ts'
import { startOf, wordsOf } from './support/words.ts'
import { expectScreen } from './support/screens.ts'

workerTest(
  "behind a hotel's sign-in page the session lasts, no answer is lost, and sending resumes by itself",
  async ({ page, t, server, front }) => {
    const player = await newPlayer(server.url)
    const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
    await arriveAs(page, player, paths.home(), { origin: front.url })
    await untilWorkerIsThere(page)
    await expect(page.getByText(t('home:BuyAnother'))).toBeVisible()
    await page.goto(front.url + paths.test(player.instanceId))
    await answerAll(page, t, script.slice(0, 1))
    await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()

    front.bend(/./, captivePortal)
    await answerAll(page, t, script.slice(1, 3))
    await expect(page.getByText(t('shell:Offline'))).toBeVisible()
    await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: 2 }))).toBeVisible()

    // an access token that expired meanwhile is renewed later, not discarded
    await page.evaluate(() => localStorage.setItem('expiresAt', String(Date.now() - 1000)))
    await page.reload()
    await expectScreen(page, t, 'test', front.url + paths.test(player.instanceId))
    for (const question of script.slice(1, 3)) await expectAnswered(page, t, question)
    await page.getByRole('link', { name: t('shell:SeeWhatWaits') }).click()
    await expect(page.getByText(t('device:TroubleBetween'))).toBeVisible()
    await page.goto(front.url + paths.home())
    await page.getByText(t('home:BuyAnother')).click()
    const buying = page.getByRole('button', { name: startOf(t('home:StartAssessment')) })
    await expect(buying).toHaveAttribute('aria-disabled', 'true')
    await expect(page.getByText(t('home:StartNeedsConnection'))).toBeVisible()
    await expect(page.getByText(player.email)).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('refreshToken'))).not.toBeNull()

    front.mend()
    await expect(page.getByText(t('shell:Offline'))).toBeHidden({ timeout: 20_000 })
    await expect(buying).not.toHaveAttribute('aria-disabled', 'true')
    await expect.poll(() => storedAnswers(player, player.instanceId), { timeout: 20_000 }).toEqual(answersOf(script.slice(0, 3)))
  },
)

test('a part in whose place the browser keeps the page of a hotel is shown once the hotel lets the device online', async ({
  page,
  t,
  server,
  front,
}) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.home(), { origin: front.url })
  await expectScreen(page, t, 'home', front.url + paths.home())
  front.bend(/\/assets\/profile\.screen/, keptPortal)
  front.bend(/^\/api\//, captivePortal)
  await page.getByRole('link', { name: t('shell:MenuProfile'), exact: true }).click()
  await expect(page.getByText(t('shell:PartNotLoaded'))).toBeVisible()
  front.mend()
  await expect(page.getByRole('heading', { name: t('profile:ProfileTitle') })).toBeVisible({ timeout: 45_000 })
})

test('a language in whose place the browser keeps the page of a hotel is shown once the hotel lets the device online', async ({
  page,
  t,
  server,
  front,
}) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.home(), { origin: front.url })
  await expectScreen(page, t, 'home', front.url + paths.home())
  front.bend(/\/assets\/(?:home|errors|shell)-[^/]*\.js/, keptPortal)
  const french = page.getByRole('button', { name: 'Français' })
  await french.click()
  await expect(page.getByText(t('shell:LanguageNotLoaded'))).toBeVisible()
  front.mend()
  await expect(async () => {
    await french.click()
    await expectScreen(page, wordsOf('fr'), 'home', front.url + paths.home())
  }).toPass({ timeout: 30_000 })
})
