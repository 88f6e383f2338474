import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { maskEmail } from '#app/session/challenge.ts'
import { dateText } from '#contract/rules/dates.ts'
import { newAddress, newPlayer } from './support/api.ts'
import { fillRegistration } from './support/coach.ts'
import {
  arriveAs,
  askForCode,
  codeField,
  expect,
  goOffline,
  goOnline,
  killTab,
  login,
  signOut,
  tapInVain,
  test,
  typeCode,
  workerTest,
} from './support/journey.ts'
import { speak } from './support/look.ts'
import { KillableBrowser } from './support/killable-browser.ts'
import { wordsOf, type Words } from './support/words.ts'
import { expectScreen } from './support/screens.ts'
import { DEMO_COACH } from './support/team-panel.ts'

test('a code by mail signs in, and the session survives a reload', async ({ page, t, api }) => {
  const email = newAddress()
  await page.goto(paths.login())
  await page.getByRole('button', { name: t('auth:SendCode') }).click()
  await expect(page.getByText(t('auth:LoginEmailInvalid'))).toBeVisible()

  await askForCode(page, t, email)
  await expectScreen(page, t, 'otp', paths.otp())
  await expect(codeField(page, t)).toBeFocused()
  await typeCode(page, t, await api.code(email))
  await expect(page.getByRole('heading', { name: t('home:HomeHeadingNoName') })).toBeVisible()
  await expectScreen(page, t, 'home', paths.home())
  await expect(page.getByText(email, { exact: true })).toBeVisible()

  await page.reload()
  await expect(page.getByText(email, { exact: true })).toBeVisible()
})

test('a sign-in that cannot begin says why and until when, also beside the form', async ({ page, t }) => {
  await page.route('**/initiate', (route) =>
    route.fulfill({ status: 429, headers: { 'retry-after': '604800' }, json: { code: 'TOO_MANY_REQUESTS', message: '-', requestId: '-' } }),
  )
  await page.goto(paths.login())
  await page.getByLabel(t('auth:Email')).fill(newAddress())
  await page.getByRole('button', { name: t('auth:SendCode') }).click()
  for (const language of ['en', 'fr'] as const) {
    await speak(page, language)
    const day = dateText(new Date(Date.now() + 604_800_000), language, { day: 'numeric', month: 'long' })
    await expect(page.getByRole('main').getByText(wordsOf(language)('errors:WAIT_UNTIL_DAY', { day }))).toBeVisible()
  }
})

test('a refusal that comes before the texts of errors says why all the same', async ({ page, t }) => {
  const refused = Promise.withResolvers<void>()
  await page.route(/\/assets\/errors-.*\.js$/, async (route) => {
    await refused.promise
    await route.continue()
  })
  await page.route('**/initiate', async (route) => {
    await route.fulfill({ status: 403, json: { code: 'ADDRESS_BLOCKED', message: '-', requestId: '-' } })
    refused.resolve()
  })
  await page.goto(paths.login())
  await page.getByLabel(t('auth:Email')).fill(newAddress())
  await page.getByRole('button', { name: t('auth:SendCode') }).click()
  await expect(page.getByRole('main').getByText(t('errors:ADDRESS_BLOCKED'))).toBeVisible()
})

test('asking for another code leaves the address and the sent code valid', async ({ page, t, api }) => {
  const email = newAddress()
  await page.goto(paths.login())
  await askForCode(page, t, email)
  await page.getByRole('link', { name: t('auth:ResendCode') }).click()
  await expect(page.getByLabel(t('auth:Email'))).toHaveValue(email)
  await page.getByRole('button', { name: t('auth:SendCode') }).click()
  await expect(page.getByText(t('auth:OtpIntroSameCode', { email: maskEmail(email) }))).toBeVisible()
  expect(await api.mails(email)).toHaveLength(1)
  await typeCode(page, t, await api.code(email))
  await expect(page.getByText(email, { exact: true })).toBeVisible()
})

workerTest('the sign-in says that there is no connection, and resumes by itself', async ({ page, t }) => {
  await page.goto(paths.login())
  await page.getByLabel(t('auth:Email')).fill(newAddress())
  await goOffline(page, t)
  // the button stays focusable and says why it does nothing
  await tapInVain(page, t, page.getByRole('button', { name: t('auth:SendCode') }))
  await expectScreen(page, t, 'login', paths.login())
  await goOnline(page, t)
  await page.getByRole('button', { name: t('auth:SendCode') }).click()
  await expect(page.getByRole('heading', { name: t('auth:OtpTitle') })).toBeVisible()
})

test('a deep link survives the sign-in, and Back does not lead to it', async ({ page, t, api, server }) => {
  const player = await newPlayer(server.url)
  await page.goto(paths.about())
  await expectScreen(page, t, 'login', paths.login())
  await page.goto(paths.brief(player.instanceId))
  await expectScreen(page, t, 'login', paths.login())
  const steps = await page.evaluate(() => history.length)
  await askForCode(page, t, player.email)
  await typeCode(page, t, await api.code(player.email))
  await expectScreen(page, t, 'brief', paths.brief(player.instanceId))
  await expect(page.getByRole('link', { name: t('brief:BriefStart') })).toBeVisible()
  // sign-in added the code screen, which the brief then replaced
  expect(await page.evaluate(() => history.length)).toBe(steps + 1)
})

test('signing out removes everything but the language', async ({ page, server }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.home())
  await expect(page.getByText(player.email, { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Français' }).click()
  const french = wordsOf('fr')
  await signOut(page, french)
  await expectScreen(page, french, 'login', paths.login())
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(['language'])
  await page.goto(paths.home())
  await expect(page.getByRole('heading', { name: french('auth:LoginTitle') })).toBeVisible()
})

test('an app killed while the code was read opens at the code screen again', async ({ page, t, api, context }) => {
  const email = newAddress()
  await page.goto(paths.login())
  await askForCode(page, t, email)
  await killTab(page)
  const again = await context.newPage()
  await again.goto(paths.home())
  await expectScreen(again, t, 'otp', paths.otp())
  await typeCode(again, t, await api.code(email))
  await expect(again.getByText(email, { exact: true })).toBeVisible()
})

const FORMER_SCREENS: Record<string, (page: Page, t: Words, instanceId: string) => Promise<void>> = {
  'the questions': async (page, t, instanceId) => {
    await page.goto(paths.test(instanceId))
    await expectScreen(page, t, 'test', paths.test(instanceId))
  },
  'a place within a page': async (page, t) => {
    await page.goto(paths.profile())
    await expectScreen(page, t, 'profile', paths.profile())
    await page.getByRole('link', { name: t('shell:SkipToContent') }).press('Enter')
  },
  'a page whose link was followed twice': async (page, t) => {
    const link = page.getByRole('link', { name: t('shell:MenuProfile'), exact: true })
    await link.click()
    await expectScreen(page, t, 'profile', paths.profile())
    await link.click()
  },
}

for (const [where, open] of Object.entries(FORMER_SCREENS))
  test(`going back to ${where} after a sign-out leads the next person to no screen of the former one`, async ({ page, t, api, server }) => {
    const player = await newPlayer(server.url)
    await login(page, t, api, player.email)
    await expect(page.getByText(player.email, { exact: true })).toBeVisible()
    await open(page, t, player.instanceId)
    await page.goto(paths.home())
    await signOut(page, t)
    await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('returnTo'))).toBeNull()
    const next = newAddress()
    await askForCode(page, t, next)
    await typeCode(page, t, await api.code(next))
    await expect(page.getByText(next, { exact: true })).toBeVisible()
    await expectScreen(page, t, 'home', paths.home())
  })

test('the sign-in leads a signed-in person home, by Back and by its URLs; the next person signs in', async ({ page, t, api }) => {
  const email = newAddress()
  await login(page, t, api, email)
  await expect(page.getByText(email, { exact: true })).toBeVisible()
  await page.goBack()
  await expectScreen(page, t, 'home', paths.home())
  await expect(page.getByText(email, { exact: true })).toBeVisible()
  for (const path of [paths.otp(), paths.login()]) {
    await page.goto(path)
    await expectScreen(page, t, 'home', paths.home())
    await expect(page.getByText(email, { exact: true })).toBeVisible()
    await expect(page.getByText(t('auth:SessionExpired'))).toBeHidden()
  }

  await signOut(page, t)
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  const next = newAddress()
  await askForCode(page, t, next)
  await typeCode(page, t, await api.code(next))
  await expect(page.getByText(next, { exact: true })).toBeVisible()
})

for (const waits of ['otp', 'login'] as const) {
  test(`a tab that waits at ${waits} continues when another tab has signed in`, async ({ page, t, api, context }) => {
    const email = newAddress()
    await page.goto(paths.login())
    await askForCode(page, t, email)
    const other = await context.newPage()
    await other.goto(paths[waits]())
    await expectScreen(other, t, waits, paths[waits]())
    await typeCode(page, t, await api.code(email))
    await expect(page.getByText(email, { exact: true })).toBeVisible()
    await expectScreen(other, t, 'home', paths.home())
    await expect(other.getByText(t('auth:SessionExpired'))).toBeHidden()
  })
}

test('two people at two code screens: each code signs in its own address', async ({ page, t, api, context }) => {
  const [first, second] = [newAddress(), newAddress()]
  await page.goto(paths.login())
  await askForCode(page, t, first)
  const other = await context.newPage()
  await other.goto(paths.login())
  await askForCode(other, t, second)
  await typeCode(page, t, await api.code(first))
  await expectScreen(page, t, 'home', paths.home())
  await expect(page.getByText(first, { exact: true })).toBeVisible()
})

test('two people at two code screens: a code that is used up in one tab leaves the other its own', async ({
  page,
  t,
  api,
  server,
  context,
}) => {
  const first = newAddress()
  await page.goto(paths.login())
  await askForCode(page, t, first)
  // no code of a player’s address registers a coach
  const { email } = await newPlayer(server.url)
  const other = await context.newPage()
  await other.goto(paths.onboard())
  await fillRegistration(other, t, email)
  await other.getByRole('button', { name: t('auth:OnboardSubmit') }).click()
  await expectScreen(other, t, 'otp', paths.otp())
  await typeCode(other, t, await api.code(email))
  await expect(other.getByRole('main').getByText(t('errors:USER_TYPE_MISMATCH'))).toBeVisible()
  await typeCode(page, t, await api.code(first))
  await expectScreen(page, t, 'home', paths.home())
  await expect(page.getByText(first, { exact: true })).toBeVisible()
})

test('the screen that asked for the sign-in opens in the tab of the code, though another tab waits at the sign-in', async ({
  page,
  t,
  api,
  context,
}) => {
  const email = newAddress()
  await page.goto(paths.login())
  const asking = await context.newPage()
  await asking.goto(paths.profile())
  await expectScreen(asking, t, 'login', paths.login())
  await askForCode(asking, t, email)
  await typeCode(asking, t, await api.code(email))
  await expectScreen(page, t, 'home', paths.home())
  await expectScreen(asking, t, 'profile', paths.profile())
})

test('an error of the sign-in does not stand on the screen that follows', async ({ page, t, api }) => {
  const email = newAddress()
  const toast = page.locator('#toasts').getByText(t('ui:Error'), { exact: true })
  await page.goto(paths.login())
  await page.route('**/initiate', (route) => route.fulfill({ status: 403, json: { code: 'FORBIDDEN', message: '-', requestId: '-' } }), {
    times: 1,
  })
  await page.getByLabel(t('auth:Email')).fill(email)
  await page.getByRole('button', { name: t('auth:SendCode') }).click()
  await expect(toast).toBeVisible()
  await page.getByRole('button', { name: t('auth:SendCode') }).click()
  await expect(page.getByRole('heading', { name: t('auth:OtpTitle') })).toBeVisible()
  await expect(toast).toBeHidden({ timeout: 1_000 })

  await typeCode(page, t, '00000000')
  await expect(toast).toBeVisible()
  // it may cover the field
  await codeField(page, t).press('1')
  await expect(toast).toBeHidden({ timeout: 1_000 })
  await codeField(page, t).fill('')

  await typeCode(page, t, '00000001')
  await expect(toast).toBeVisible()
  const other = await page.context().newPage()
  await other.goto(paths.otp())
  await typeCode(other, t, await api.code(email))
  await expectScreen(page, t, 'home', paths.home())
  await expect(toast).toBeHidden({ timeout: 1_000 })
})

test('INPUT-15: without a stored sign-in the code screen says so and starts over', async ({ page, t }) => {
  await page.goto(paths.otp())
  await expect(page.getByText(t('auth:SessionExpired'))).toBeVisible()
  await expectScreen(page, t, 'login', paths.login())
})

test('INPUT-30: without a user id there is no profile to save', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.home())
  await page.evaluate(() => localStorage.removeItem('idToken'))
  // a refresh would bring a new one
  await page.route('**/auth/refresh', (route) => route.abort())
  await page.goto(paths.profile())
  await expect(page.getByText(t('details:UserNotAuthenticated'))).toBeVisible()
  await expect(page.getByRole('button', { name: t('details:Save') })).toHaveCount(0)
})

test('a coach who uses the player sign-in is a coach', async ({ page, t, api }) => {
  await login(page, t, api, DEMO_COACH)
  await expect(page.getByRole('heading', { name: t('home:AvailableAssessmentsTitleCoach') })).toBeVisible()
})

test('a browser killed during the sign-in opens again where it was, and stays signed out', async ({ server, api, t }) => {
  const player = await newPlayer(server.url)
  const browser = await KillableBrowser.make()
  try {
    let page = await browser.open()
    await page.goto(server.url + paths.login())
    await askForCode(page, t, player.email)
    await browser.kill()

    page = await browser.open()
    await page.goto(server.url + paths.home())
    await expect(page.getByRole('heading', { name: t('auth:OtpTitle') })).toBeVisible()
    await expect(page.getByText(maskEmail(player.email))).toBeVisible()
    await typeCode(page, t, await api.code(player.email))
    await expectScreen(page, t, 'home', server.url + paths.home())
    await browser.kill()

    page = await browser.open()
    await page.goto(server.url + paths.home())
    await expect(page.getByText(player.email)).toBeVisible()
    await signOut(page, t)
    await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
    await browser.kill()

    page = await browser.open()
    await page.goto(server.url + paths.home())
    await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('refreshToken'))).toBeNull()
  } finally {
    await browser.throwAway()
  }
})
