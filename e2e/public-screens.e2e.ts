import { paths } from '#app/paths.ts'
import { settings } from '#contract/settings.ts'
import { users } from '#contract/users.ts'
import { Api, newAddress, newPlayer, signInByApi } from './support/api.ts'
import { arriveAs, codeField, expect, gate, test, typeCode } from './support/journey.ts'
import { speak } from './support/look.ts'
import { expectScreen } from './support/screens.ts'
import { wordsOf } from './support/words.ts'

/** The screens of a guest, word for word. LOGIN-1 to LOGIN-12, ONBOARD-1 */

test('the sign-in has one field, a note, a button that shows that it is sending, and links', async ({ page, t }) => {
  const { open, opened } = gate()
  await page.route('**/api/user/auth/initiate', async (route) => {
    await opened
    await route.continue()
  })
  await page.goto(paths.login())
  await expect(page.getByRole('textbox')).toHaveCount(1)
  await expect(page.getByLabel(t('auth:Email'))).toHaveAccessibleDescription(t('auth:SecureCodeNote'))
  // shown, but without a target yet
  for (const key of ['Terms', 'Privacy', 'TroubleLoggingIn']) {
    const link = page.getByRole('link', { name: t(`auth:${key}`), exact: true })
    await expect(link, key).toHaveAttribute('aria-disabled', 'true')
    await link.click({ force: true })
    await expectScreen(page, t, 'login', paths.login())
  }
  await expect(page.getByRole('link', { name: t('auth:RegisterAsCoach') })).toHaveAttribute('href', paths.onboard())

  await page.getByLabel(t('auth:Email')).fill('nobody@')
  await page.getByRole('button', { name: t('auth:SendCode') }).click()
  await expect(page.getByLabel(t('auth:Email'))).toHaveAccessibleDescription(/Please enter a valid email address\.$/)
  await expect(page.getByLabel(t('auth:Email'))).toBeFocused()
  await page.getByLabel(t('auth:Email')).fill(newAddress())
  await page.getByRole('button', { name: t('auth:SendCode') }).click()
  await expect(page.getByRole('button', { name: t('auth:SendingCode') })).toHaveAttribute('aria-busy', 'true')
  open()
  await expectScreen(page, t, 'otp', paths.otp())
})

for (const language of ['en', 'fr'] as const) {
  test(`a parent reads what a result is and is not without signing in (${language})`, async ({ page, server }) => {
    const t = wordsOf(language)
    await page.goto(`${server.url}${paths.limits()}`)
    await speak(page, language)
    await expect(page.getByRole('heading', { level: 1, name: t('about:AboutLimitsTitle') })).toBeVisible()
    for (const key of ['AboutLimitsNotSelection', 'AboutLimitsCertaintyAgain', 'AboutLimitsWho'] as const)
      await expect(page.getByText(t(`about:${key}`))).toBeVisible()
    await page.getByRole('link', { name: t('shell:OpenPortal') }).click()
    await expect(page.getByLabel(t('auth:Email'))).toBeVisible()
  })
}

for (const language of ['en', 'fr'] as const) {
  for (const path of [paths.answersFile(), paths.stopInvitations('none')]) {
    // an installed app has no Back of a browser
    test(`${path.split('?')[0]} has a way back, signed in or not (${language})`, async ({ page, server }) => {
      const t = wordsOf(language)
      await page.goto(server.url + path)
      await speak(page, language)
      await page
        .getByRole('main')
        .getByRole('link', { name: t('shell:OpenPortal') })
        .click()
      await expect(page.getByLabel(t('auth:Email'))).toBeVisible()
      await arriveAs(page, await newPlayer(server.url), path, { language })
      await page
        .getByRole('main')
        .getByRole('link', { name: t('shell:OpenPortal') })
        .click()
      await expectScreen(page, t, 'home', paths.home())
    })
  }
}

test('terms, privacy and contact lead where the settings say', async ({ page, t, api }) => {
  const said = await api.ask(settings.get, {})
  const links = { terms: 'https://club.test/terms', privacy: 'https://club.test/privacy', contact: 'https://club.test/contact' }
  await page.route('**/api/settings', (route) => route.fulfill({ json: { ...said, links: { ...said.links, ...links } } }))
  await page.goto(paths.login())
  for (const [key, href] of [
    ['Terms', links.terms],
    ['Privacy', links.privacy],
    ['TroubleLoggingIn', links.contact],
  ] as const) {
    const link = page.getByRole('link', { name: `${t(`auth:${key}`)} (${t('ui:OpensInNewTab')})`, exact: true })
    await expect(link, key).toHaveAttribute('href', href)
    await expect(link, key).toHaveAttribute('target', '_blank')
  }
})

test('the code has eight slots, is sent by itself, and shows that it is being verified', async ({ page, t, api }) => {
  const { open, opened } = gate()
  await page.route('**/api/user/auth/verify-otp', async (route) => {
    await opened
    await route.continue()
  })
  const email = newAddress()
  await page.goto(paths.login())
  await page.getByLabel(t('auth:Email')).fill(email)
  await page.getByRole('button', { name: t('auth:SendCode') }).click()
  await expect(page.getByRole('heading', { name: t('auth:OtpTitle') })).toBeVisible()
  // the field has the focus, so the screen's heading is announced
  await expect(codeField(page, t)).toBeFocused()
  await expect(page.locator('[aria-live="polite"]').getByText(t('auth:OtpTitle'))).toBeAttached()
  await expect(codeField(page, t)).toHaveAttribute('maxlength', '8')
  await expect(codeField(page, t)).toHaveAttribute('inputmode', 'numeric')

  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  await page.getByRole('link', { name: t('auth:ContactUs') }).click()
  await expect.poll(() => said).toContain('Contact us')
  await expectScreen(page, t, 'otp', paths.otp())

  const code = await api.code(email)
  await codeField(page, t).focus()
  await page.keyboard.type(code.slice(0, 7))
  await expect(page.getByText(t('auth:Verifying'))).toBeHidden()
  await page.keyboard.type(code.slice(7))
  await expect(page.getByText(t('auth:Verifying'))).toBeVisible()
  open()
  await expectScreen(page, t, 'home', paths.home())
})

test('the registration has every field, a way back, a picture if there is room, and fills in the profile', async ({
  page,
  t,
  api,
  server,
}) => {
  const { open, opened } = gate()
  await page.route('**/api/user/auth/initiate', async (route) => {
    await opened
    await route.continue()
  })
  await page.goto(paths.login())
  await page.getByRole('link', { name: t('auth:RegisterAsCoach') }).click()
  await expect(page.getByRole('heading', { level: 1, name: t('auth:OnboardTitle') })).toBeFocused()
  await expect(page.getByText(t('auth:OnboardMandatory'))).toBeVisible()
  await page.getByRole('link', { name: t('auth:OnboardBack') }).click()
  await expectScreen(page, t, 'login', paths.login())
  await page.goto(paths.onboard())
  const picture = () =>
    page
      .getByRole('main')
      .locator('> *')
      .first()
      .evaluate((frame) => getComputedStyle(frame, '::after').backgroundImage)
  await expect.poll(picture).toContain('pitch')
  await page.setViewportSize({ width: 360, height: 740 })
  await expect.poll(picture).not.toContain('pitch')
  await page.setViewportSize({ width: 1280, height: 800 })

  await page.getByRole('button', { name: t('auth:OnboardSubmit') }).click()
  for (const key of ['FirstNameRequired', 'LastNameRequired', 'EmailInvalid', 'CountryRequired', 'CityRequired']) {
    await expect(page.getByText(t(`fields:${key}`), { exact: true }), key).toBeVisible()
  }
  const email = newAddress()
  await page.getByLabel(t('details:FirstName')).fill('Ana')
  await page.getByLabel(t('details:LastName')).fill('Lopes')
  await expect(page.getByLabel(t('details:Email'))).toHaveAccessibleDescription(startsWith(t('auth:OnboardEmailHint')))
  await page.getByLabel(t('details:Email')).fill(email)
  await expect(page.getByRole('combobox', { name: t('details:City') })).toBeDisabled()
  await page.getByRole('combobox', { name: t('details:Country') }).fill('Portug')
  await page.getByRole('option', { name: 'Portugal', exact: true }).click()
  await page.getByRole('combobox', { name: t('details:City') }).fill('port')
  await page.getByRole('option', { name: 'Porto', exact: true }).click()
  await page.getByRole('button', { name: t('auth:OnboardSubmit') }).click()
  await expect(page.getByRole('button', { name: t('auth:OnboardSubmitting') })).toBeVisible()
  open()
  await expectScreen(page, t, 'otp', paths.otp())
  await typeCode(page, t, await api.code(email))
  await expect(page.getByRole('heading', { name: t('home:HomeHeading', { name: 'Ana' }) })).toBeVisible()
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('coachOnboardingData'))).toBeNull()

  const coach = await signInByApi(server.url, email, 'coach')
  const profile = await new Api(server.url, coach.accessToken).ask(users.get, { params: { id: coach.userId } })
  expect(profile).toMatchObject({ firstName: 'Ana', lastName: 'Lopes', email, countryId: 'Portugal', cityId: 'Porto' })
})

const startsWith = (text: string) => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`)
