import { paths } from '#app/paths.ts'
import { maskEmail } from '#app/session/challenge.ts'
import { newAddress, newPlayer } from './support/api.ts'
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
} from './support/journey.ts'
import { wordsOf } from './support/words.ts'
import { expectScreen } from './support/screens.ts'

test('a code by mail signs in, and a reload keeps the session', async ({ page, t, api }) => {
  const email = newAddress()
  await page.goto(paths.login())
  await page.getByRole('button', { name: t('auth:SendCode') }).click()
  await expect(page.getByText(t('auth:LoginEmailInvalid'))).toBeVisible()

  await askForCode(page, t, email)
  await expect(page).toHaveURL(paths.otp())
  await expect(codeField(page, t)).toBeFocused()
  await typeCode(page, t, await api.code(email))
  await expect(page.getByRole('heading', { name: t('home:HomeHeadingNoName') })).toBeVisible()
  await expect(page).toHaveURL(paths.home())
  await expect(page.getByText(email)).toBeVisible()

  await page.reload()
  await expect(page.getByText(email)).toBeVisible()
})

test('a wrong code is told and cleared; the right one, pasted with a space, signs in', async ({ page, t, api, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const email = newAddress()
  await page.goto(paths.login())
  await askForCode(page, t, email)
  const right = await api.code(email)
  await typeCode(page, t, right === '12345678' ? '87654321' : '12345678')
  await expect(page.getByText(t('errors:INVALID_CODE'))).toBeVisible()
  await expect(codeField(page, t)).toHaveValue('')

  await page.evaluate((code) => navigator.clipboard.writeText(code), `${right.slice(0, 4)} ${right.slice(4)}`)
  await codeField(page, t).focus()
  await page.keyboard.press('ControlOrMeta+V')
  await expect(page.getByRole('heading', { name: t('home:HomeHeadingNoName') })).toBeVisible()
})

test('asking again keeps the address and the code that is on its way', async ({ page, t, api }) => {
  const email = newAddress()
  await page.goto(paths.login())
  await askForCode(page, t, email)
  await page.getByRole('link', { name: t('auth:ResendCode') }).click()
  await expect(page.getByLabel(t('auth:Email'))).toHaveValue(email)
  await page.getByRole('button', { name: t('auth:SendCode') }).click()
  await expect(page.getByText(t('auth:OtpIntroSameCode', { email: maskEmail(email) }))).toBeVisible()
  expect(await api.mails(email)).toHaveLength(1)
  await typeCode(page, t, await api.code(email))
  await expect(page.getByText(email)).toBeVisible()
})

test('after five wrong codes a new one comes at once', async ({ page, t, api }) => {
  const email = newAddress()
  await page.goto(paths.login())
  await askForCode(page, t, email)
  const spent = await api.code(email)
  for (let tried = 0; tried < 5; tried += 1) {
    await typeCode(page, t, spent === '12345678' ? '87654321' : '12345678')
    await expect(codeField(page, t)).toHaveValue('')
  }
  await expect(page.getByText(t('errors:CODE_EXHAUSTED'))).toBeVisible()
  await page.getByRole('link', { name: t('auth:ResendCode') }).click()
  await page.getByRole('button', { name: t('auth:SendCode') }).click()
  await expect(page.getByText(t('auth:OtpIntro', { email: maskEmail(email) }))).toBeVisible()
  expect(await api.mails(email)).toHaveLength(2)
  await typeCode(page, t, await api.code(email))
  await expect(page.getByText(email)).toBeVisible()
})

test('a code typed without a connection is verified by itself once there is one', async ({ page, t, api }) => {
  const email = newAddress()
  await page.goto(paths.login())
  await askForCode(page, t, email)
  const verified: string[] = []
  page.on('request', (request) => request.url().endsWith('/verify-otp') && verified.push(request.url()))
  await goOffline(page, t)
  await typeCode(page, t, await api.code(email))
  await expect(page.getByRole('status').getByText(t('ui:OnlineOnlyReason'))).toBeVisible()
  await page.getByRole('button', { name: t('auth:VerifyAgain') }).click()
  await expect(codeField(page, t)).not.toHaveValue('')
  expect(verified).toEqual([])
  await page.context().setOffline(false)
  await expect(page.getByText(email)).toBeVisible()
  expect(verified).toHaveLength(1)
})

test('without a connection the sign-in says so and goes on by itself', async ({ page, t }) => {
  await page.goto(paths.login())
  await page.getByLabel(t('auth:Email')).fill(newAddress())
  await goOffline(page, t)
  // it stays in reach and says why it does nothing
  await tapInVain(page, t, page.getByRole('button', { name: t('auth:SendCode') }))
  await expect(page).toHaveURL(paths.login())
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
  await expect(page).toHaveURL(paths.brief(player.instanceId))
  await expect(page.getByRole('link', { name: t('assessment:BriefStart') })).toBeVisible()
  // sign-in added the code screen, which the brief then replaced
  expect(await page.evaluate(() => history.length)).toBe(steps + 1)
})

test('signing out clears everything but the language', async ({ page, server }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.home())
  await expect(page.getByText(player.email)).toBeVisible()
  await page.getByRole('button', { name: 'Français' }).click()
  const french = wordsOf('fr')
  await signOut(page, french)
  await expect(page.getByRole('heading', { name: french('auth:LoginTitle') })).toBeVisible()
  await expect(page).toHaveURL(paths.login())
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(['language'])
  await page.goto(paths.home())
  await expect(page.getByRole('heading', { name: french('auth:LoginTitle') })).toBeVisible()
})

test('killed while the code was read, it opens at the code screen again', async ({ page, t, api, context }) => {
  const email = newAddress()
  await page.goto(paths.login())
  await askForCode(page, t, email)
  await killTab(page)
  const again = await context.newPage()
  await again.goto(paths.home())
  await expect(again).toHaveURL(paths.otp())
  await typeCode(again, t, await api.code(email))
  await expect(again.getByText(email)).toBeVisible()
})

test('who is signed in is led home from the sign-in, by Back and by its addresses; the next person signs in', async ({ page, t, api }) => {
  const email = newAddress()
  await login(page, t, api, email)
  await expect(page.getByText(email)).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(paths.home())
  await expect(page.getByText(email)).toBeVisible()
  for (const path of [paths.otp(), paths.login()]) {
    await page.goto(path)
    await expect(page.getByText(email)).toBeVisible()
    await expect(page).toHaveURL(paths.home())
    await expect(page.getByText(t('auth:SessionExpired'))).toBeHidden()
  }

  await signOut(page, t)
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  const next = newAddress()
  await askForCode(page, t, next)
  await typeCode(page, t, await api.code(next))
  await expect(page.getByText(next)).toBeVisible()
})

test('a code that another tab has used leads home as well', async ({ page, t, api, context }) => {
  const email = newAddress()
  await page.goto(paths.login())
  await askForCode(page, t, email)
  const code = await api.code(email)
  const other = await context.newPage()
  await other.goto(paths.otp())
  await typeCode(other, t, code)
  await expect(other.getByText(email)).toBeVisible()
  await typeCode(page, t, code)
  await expect(page.getByText(email)).toBeVisible()
  await expect(page).toHaveURL(paths.home())
  await expect(page.getByText(t('auth:SessionExpired'))).toBeHidden()
})

test('15: without a stored sign-in the code screen says so and starts over', async ({ page, t }) => {
  await page.goto(paths.otp())
  await expect(page.getByText(t('auth:SessionExpired'))).toBeVisible()
  await expectScreen(page, t, 'login', paths.login())
})

test('30: without a user id there is no profile to save', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.home())
  await page.evaluate(() => localStorage.removeItem('idToken'))
  await page.goto(paths.profile())
  await expect(page.getByText(t('parts:UserNotAuthenticated'))).toBeVisible()
  await expect(page.getByRole('button', { name: t('parts:Save') })).toHaveCount(0)
})

test('a coach who uses the player sign-in is a coach', async ({ page, t, api }) => {
  await login(page, t, api, 'coach@demo.test')
  await expect(page.getByRole('heading', { name: t('home:AvailableAssessmentsTitleCoach') })).toBeVisible()
})
