import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { maskEmail } from '#app/session/challenge.ts'
import { newAddress, newPlayer, scriptOf } from './support/api.ts'
import { newCoach } from './support/coach.ts'
import { replyWith } from './support/front.ts'
import { arriveAs, askForCode, expect, gate, holdCalls, login, test, typeCode } from './support/journey.ts'
import { answerAll } from './support/questionnaire.ts'
import { expectScreen } from './support/screens.ts'
import { startOf, type Words } from './support/words.ts'

/** Replies that come after the person has left the screen that waited for them: nobody is taken away from where they have gone. */

const ITEMS = 112

/** Lets a held call go, and waits until the page has had the reply and has acted on it. */
async function receiveLate(page: Page, path: RegExp, release: () => void): Promise<void> {
  const received = page.waitForResponse((reply) => path.test(new URL(reply.url()).pathname))
  release()
  await (await received).finished()
  await settled(page)
}

/** What the page was told has led to what it leads to. */
const settled = (page: Page) => page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => requestAnimationFrame(resolve))))

/** By the brief, two entries of the history on. */
async function openTestFromHome(page: Page, t: Words): Promise<void> {
  await page.getByRole('link', { name: startOf(t('player:GoToAssessmentOf', { name: '' })) }).click()
  await page.getByRole('link', { name: t('brief:BriefContinue') }).click()
  await expectScreen(page, t, 'test', /\/test$/)
}

test('whoever leaves the questionnaire while it is being submitted stays on the dashboard', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { questions: ITEMS - 1 })
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await arriveAs(page, player, paths.home())
  await openTestFromHome(page, t)
  await answerAll(page, t, script.slice(-1))
  const release = await holdCalls(page, /\/complete$/)
  const asked = page.waitForRequest(/\/complete$/)
  await page.getByRole('button', { name: t('assessment:TestSubmit'), exact: true }).click()
  await asked
  await page.evaluate(() => history.go(-2))
  await expectScreen(page, t, 'home', paths.home())
  await receiveLate(page, /\/complete$/, release)
  await expect(page.getByRole('link', { name: startOf(t('player:ViewResultsOf', { name: '' })) })).toBeVisible()
  // whatever the reply led to is on screen before what is asked for later
  await page
    .getByRole('link', { name: t('shell:MenuAbout'), exact: true })
    .first()
    .click()
  await expectScreen(page, t, 'about', paths.about())
})

test('whoever saves and exits, and leaves by Back before the save is confirmed, stays there', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { questions: 3 })
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await arriveAs(page, player, paths.about())
  await page
    .getByRole('link', { name: t('shell:MenuHome'), exact: true })
    .first()
    .click()
  await openTestFromHome(page, t)
  const release = await holdCalls(page, /\/responses$/)
  await answerAll(page, t, script.slice(3, 4))
  await page.getByRole('button', { name: t('assessment:TestSaveAndExit') }).click()
  await page.evaluate(() => history.go(-3))
  await expectScreen(page, t, 'about', paths.about())
  await receiveLate(page, /\/responses$/, release)
  await expectScreen(page, t, 'about', paths.about())
})

test('whoever presses Start and goes to the profile before the check of the connection stays there', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.home())
  const start = page.getByRole('button', { name: /Touchline/ })
  await expect(start).toBeVisible()
  const release = await holdCalls(page, /\/api\/health$/)
  await start.click()
  await expect(start).toHaveAttribute('aria-busy', 'true')
  await page
    .getByRole('link', { name: t('shell:MenuProfile'), exact: true })
    .first()
    .click()
  await expectScreen(page, t, 'profile', paths.profile())
  await receiveLate(page, /\/api\/health$/, release)
  await expectScreen(page, t, 'profile', paths.profile())
})

test('whoever leaves the payment page before its session is there is not sent to the page of the provider', async ({
  page,
  t,
  server,
  front,
}) => {
  const player = await newPlayer(server.url, { hasBought: false })
  const late = gate()
  const elsewhere = replyWith(200, { url: `${server.url}${paths.limits()}`, clientSecret: null, sessionId: 'cs_test_elsewhere' })
  front.bend(/\/checkout\//, (incoming, reply, pass) =>
    incoming.method === 'POST' ? void late.opened.then(() => elsewhere(incoming, reply, pass)) : pass(),
  )
  const asked = page.waitForRequest((one) => one.method() === 'POST' && one.url().includes('/checkout/'))
  await arriveAs(page, player, paths.payment('touchline-profile'), { origin: front.url })
  await asked
  await page.getByRole('banner').getByRole('link').first().click()
  await expectScreen(page, t, 'home', front.url + paths.home())
  await receiveLate(page, /\/checkout\//, late.open)
  await expectScreen(page, t, 'home', front.url + paths.home())
})

test('whoever presses Buy before the profile is read and goes to About stays there', async ({ page, t, server }) => {
  const coach = await newCoach(server.url)
  const release = await holdCalls(page, /^\/api\/user\/[^/]+$/)
  await arriveAs(page, coach, paths.home())
  await page
    .getByRole('button', { name: t('tokens:BuyMoreAssessmentTokens') })
    .first()
    .click()
  await page
    .getByRole('link', { name: t('shell:MenuAbout'), exact: true })
    .first()
    .click()
  await expectScreen(page, t, 'about', paths.about())
  release()
  await settled(page)
  await expectScreen(page, t, 'about', paths.about())
})

test('whoever asks for a code and goes on to read about results stays there', async ({ page, t }) => {
  await page.goto(paths.limits())
  await page.getByRole('link', { name: t('shell:OpenPortal') }).click()
  await expectScreen(page, t, 'login', paths.login())
  const release = await holdCalls(page, /\/initiate$/)
  await page.getByLabel(t('auth:Email')).fill(newAddress())
  await page.getByRole('button', { name: t('auth:SendCode') }).click()
  await expect(page.getByRole('button', { name: t('auth:SendingCode') })).toBeVisible()
  await page.goBack()
  const limits = page.getByRole('heading', { level: 1, name: t('about:AboutLimitsTitle') })
  await expect(limits).toBeVisible()
  await receiveLate(page, /\/initiate$/, release)
  await expect(page.getByRole('heading', { name: t('auth:OtpTitle') })).toHaveCount(0)
  await expect(limits).toBeVisible()
})

for (const { where, by } of [
  { where: 'back to the sign-in', by: -1 },
  { where: 'on to read about results', by: -2 },
]) {
  test(`whoever goes ${where} while the code is checked is not signed in by it`, async ({ page, t, api }) => {
    const email = newAddress()
    await page.goto(paths.limits())
    await page.getByRole('link', { name: t('shell:OpenPortal') }).click()
    await askForCode(page, t, email)
    const release = await holdCalls(page, /\/verify-otp$/, 1)
    await typeCode(page, t, await api.code(email))
    await page.evaluate((steps) => history.go(steps), by)
    const limits = page.getByRole('heading', { level: 1, name: t('about:AboutLimitsTitle') })
    if (by === -1) await expectScreen(page, t, 'login', paths.login())
    else await expect(limits).toBeVisible()
    const ended = page.waitForResponse(/\/logout$/)
    await receiveLate(page, /\/verify-otp$/, release)
    // not even as a session that nobody uses
    expect((await ended).status()).toBe(204)
    if (by === -1) await expectScreen(page, t, 'login', paths.login())
    else await expect(limits).toBeVisible()
    await login(page, t, api, email)
  })
}

test('a code that is accepted while another person signs in changes nothing for them', async ({ page, t, api }) => {
  const [one, other] = [newAddress(), newAddress()]
  await page.goto(paths.login())
  await askForCode(page, t, one)
  const release = await holdCalls(page, /\/verify-otp$/, 1)
  await typeCode(page, t, await api.code(one))
  await page.goBack()
  await askForCode(page, t, other)
  await receiveLate(page, /\/verify-otp$/, release)
  await expectScreen(page, t, 'otp', paths.otp())
  await typeCode(page, t, await api.code(other))
  await expect(page.getByText(other).first()).toBeVisible()
})

test('a code that was asked for before another one does not take its place', async ({ page, t }) => {
  const [one, other] = ['one', 'two'].map((name) => `${name}.${newAddress()}`) as [string, string]
  await page.goto(paths.login())
  const release = await holdCalls(page, /\/initiate$/, 1)
  await page.getByLabel(t('auth:Email')).fill(one)
  await page.getByRole('button', { name: t('auth:SendCode') }).click()
  await page.getByRole('link', { name: t('auth:RegisterAsCoach') }).click()
  await page.goBack()
  await askForCode(page, t, other)
  await receiveLate(page, /\/initiate$/, release)
  await page.reload()
  await expectScreen(page, t, 'otp', paths.otp())
  await expect(page.getByText(t('auth:OtpIntro', { email: maskEmail(other) }))).toBeVisible()
})
