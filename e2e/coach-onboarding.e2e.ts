import { paths } from '#app/paths.ts'
import { users } from '#contract/users.ts'
import { Api, newAddress, newPlayer, signInByApi } from './support/api.ts'
import { fillRegistration, newCoach } from './support/coach.ts'
import { cut, refusal } from './support/front.ts'
import { arriveAs, codeField, expect, killTab, test, typeCode } from './support/journey.ts'
import type { Page } from '@playwright/test'
import { expectScreen } from './support/screens.ts'

/** The registration that a coach types before there is an account. ONBOARD-3 to ONBOARD-5, LOGIN-16 */

const KEY = 'coachOnboardingData'
const ana = { firstName: 'Ana', lastName: 'Lopes', country: 'Portugal', city: 'Porto' }

test('the registration is stored, then sent as a coach’s sign-in', async ({ page, t }) => {
  const email = newAddress()
  await page.goto(paths.onboard())
  await fillRegistration(page, t, email)
  let storedBefore: unknown
  await page.route('**/api/user/auth/initiate', async (route) => {
    storedBefore = JSON.parse(await page.evaluate((key) => sessionStorage.getItem(key) ?? '', KEY))
    await route.fulfill({ status: 200, json: { session: 'given', challengeName: 'SMS_OTP' } })
  })
  const asked = page.waitForRequest('**/api/user/auth/initiate')
  await page.getByRole('button', { name: t('auth:OnboardSubmit') }).click()
  expect((await asked).postDataJSON()).toMatchObject({ ...ana, email, userTypeCode: 'coach' })
  // any other challenge than the code by e-mail
  const toast = page.getByRole('status').filter({ hasText: t('ui:Error') })
  await expect(toast).toContainText(t('auth:UnexpectedChallenge'))
  await expectScreen(page, t, 'onboard', paths.onboard())
  expect(storedBefore).toEqual({ ...ana, email, source: 'coachOnboarding' })

  await page.unroute('**/api/user/auth/initiate')
  await page.route('**/api/user/auth/initiate', (route) => route.fulfill({ status: 503, json: refusal('No mail leaves today') }))
  await page.getByRole('button', { name: t('auth:OnboardSubmit') }).click()
  await expect(toast).toContainText('No mail leaves today')
  // the toast disappears, the reason stays
  await expect(page.getByRole('main').getByText('No mail leaves today')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel(t('details:FirstName'))).toHaveValue('Ana')
})

test('the profile is as typed even if the tablet kills the app while the code is read', async ({ page, t, api, server, context }) => {
  const email = newAddress()
  await page.goto(paths.onboard())
  await fillRegistration(page, t, email)
  await page.getByRole('button', { name: t('auth:OnboardSubmit') }).click()
  await expectScreen(page, t, 'otp', paths.otp())
  await killTab(page)

  const again = await context.newPage()
  await again.goto(paths.home())
  await expectScreen(again, t, 'otp', paths.otp())
  expect(await again.evaluate((key) => sessionStorage.getItem(key), KEY)).toBeNull()
  const sent = again.waitForRequest((request) => request.method() === 'PATCH')
  await typeCode(again, t, await api.code(email))
  const { country, city, ...name } = ana
  expect((await sent).postDataJSON()).toEqual({ ...name, email, countryId: country, cityId: city })
  await expect(again.getByRole('heading', { name: t('home:HomeHeading', { name: 'Ana' }) })).toBeVisible()
  await expect.poll(() => stored(again)).toEqual([])
  const coach = await signInByApi(server.url, email)
  expect(await coach.api.ask(users.get, { params: { id: coach.userId } })).toMatchObject({ ...name, countryId: country, cityId: city })
})

test('a player’s address: the right code changes nothing and makes no coach, and the screen leads on', async ({ page, t, api, server }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  const before = await player.api.ask(users.get, { params: { id: player.userId } })
  await page.goto(paths.onboard())
  await fillRegistration(page, t, player.email)
  await page.getByRole('button', { name: t('auth:OnboardSubmit') }).click()
  await expectScreen(page, t, 'otp', paths.otp())
  await typeCode(page, t, await api.code(player.email))
  await expect(page.getByRole('main').getByText(t('errors:USER_TYPE_MISMATCH'))).toBeVisible()
  await expect(codeField(page, t)).toHaveValue('')
  await expectScreen(page, t, 'otp', paths.otp())
  expect(await page.evaluate(() => ['accessToken', 'refreshToken', 'idToken'].filter((key) => localStorage.getItem(key)))).toEqual([])
  expect(await player.api.ask(users.get, { params: { id: player.userId } })).toEqual(before)

  await page.getByRole('link', { name: t('auth:SignInAsPlayer') }).click()
  await expectScreen(page, t, 'login', paths.login())
  await expect(page.getByRole('textbox', { name: t('auth:Email') })).toHaveValue(player.email)
  await page.goBack()

  // the code is used up: the app opens at the sign-in, not at the code screen
  await page.goto(paths.home())
  await expectScreen(page, t, 'login', paths.login())
  await page.getByRole('link', { name: t('auth:RegisterAsCoach') }).click()
  await expect(page.getByLabel(t('details:FirstName'))).toHaveValue('Ana')
  const email = newAddress()
  await page.getByLabel(t('details:Email')).fill(email)
  await page.getByRole('button', { name: t('auth:OnboardSubmit') }).click()
  await expectScreen(page, t, 'otp', paths.otp())
  await typeCode(page, t, await api.code(email))
  await expect(page.getByRole('heading', { name: t('home:HomeHeading', { name: 'Ana' }) })).toBeVisible()
  await expect(page.getByRole('heading', { name: t('home:AvailableAssessmentsTitleCoach') })).toBeVisible()
})

test('a refusal that names a field of the registration stands at that field', async ({ page, t, api }) => {
  const email = newAddress()
  await page.goto(paths.onboard())
  await fillRegistration(page, t, email)
  const fields = { city: t('fields:CityInvalid') }
  await page.route('**/initiate', (route) => route.fulfill({ status: 400, json: { ...refusal('-'), fields } }), { times: 1 })
  await page.getByRole('button', { name: t('auth:OnboardSubmit') }).click()
  const city = page.getByRole('combobox', { name: t('details:City') })
  await expect(city).toBeFocused()
  await expect(city).toHaveAccessibleDescription(new RegExp(fields.city))
  await expect(page.getByRole('main').getByText(fields.city)).toHaveCount(1)
  await page.getByRole('button', { name: t('auth:OnboardSubmit') }).click()
  await expectScreen(page, t, 'otp', paths.otp())
  expect(await api.mails(email)).toHaveLength(1)
})

test('on the dashboard an unsent registration waits, an incomplete or unreadable one is removed', async ({ page, t, server, front }) => {
  const coach = await newCoach(server.url, { hasDetails: false })
  const title = page.getByRole('heading', { name: t('home:AvailableAssessmentsTitleCoach') })
  const data = { ...ana, email: coach.email, source: 'coachOnboarding' }
  const PROFILE = /^\/api\/user\/[\w-]+$/
  front.bend(PROFILE, (incoming, reply, pass) => (incoming.method === 'PATCH' ? cut(incoming, reply, pass) : pass()))
  await arriveAs(page, coach, paths.about(), { origin: front.url })
  await keep(page, JSON.stringify(data))
  const tried = page.waitForEvent('requestfailed', (request) => request.method() === 'PATCH')
  await page.goto(front.url + paths.home())
  await tried
  await expect(title).toBeVisible()
  expect(await stored(page)).toEqual([JSON.stringify(data)])
  front.mend()
  await page.reload()
  await expect.poll(() => stored(page)).toEqual([])
  const profile = () => new Api(server.url, coach.accessToken).ask(users.get, { params: { id: coach.userId } })
  await expect.poll(profile).toMatchObject({ firstName: 'Ana', cityId: 'Porto' })

  const { city: _city, ...incomplete } = data
  for (const text of [JSON.stringify({ ...incomplete, firstName: 'Bea' }), '{"firstName":']) {
    await page.goto(front.url + paths.about())
    await keep(page, text)
    await page.goto(front.url + paths.home())
    await expect(title).toBeVisible()
    await expect.poll(() => stored(page)).toEqual([])
  }
  expect(await profile()).toMatchObject({ firstName: 'Ana' })
})

function keep(page: Page, text: string): Promise<void> {
  return page.evaluate(([key, text]) => sessionStorage.setItem(key, text), [KEY, text] as const)
}

/** The registration as either store holds it. */
function stored(page: Page): Promise<string[]> {
  return page.evaluate((key) => [sessionStorage.getItem(key), localStorage.getItem(key)].filter((text) => text !== null), KEY)
}
