import { paths } from '#app/paths.ts'
import { users } from '#contract/users.ts'
import type { Language } from '#contract/languages.ts'
import { newAddress, signInByApi } from './support/api.ts'
import { fillPorto, fillRegistration, newCoach, tokensAvailable } from './support/coach.ts'
import { arriveAs, expect, test, typeCode } from './support/journey.ts'
import { cardForm, GOOD_CARD, pay, expectReceipt, TOKEN_PRICE } from './support/purchase.ts'
import { startOf, wordsOf } from './support/words.ts'
import type { Page } from '@playwright/test'
import { expectScreen } from './support/screens.ts'
import { speak } from './support/look.ts'

/** From the registration of a coach to the receipt. TOKENS-1 to TOKENS-12 */

const visits: { language: Language; width: number; height: number }[] = [
  { language: 'en', width: 1280, height: 800 },
  { language: 'fr', width: 820, height: 1180 },
]

for (const { language, width, height } of visits) {
  test(`a new coach registers, checks the profile, buys 15 tokens and receives them (${language}, ${width} px)`, async ({
    page,
    api,
    server,
  }) => {
    const t = wordsOf(language)
    const email = newAddress()
    await page.setViewportSize({ width, height })
    await page.goto(paths.onboard())
    await speak(page, language)
    await fillRegistration(page, t, email)
    await page.getByRole('button', { name: t('auth:OnboardSubmit') }).click()
    await expectScreen(page, t, 'otp', paths.otp())
    await typeCode(page, t, await api.code(email))
    await expect(page.getByRole('heading', { name: t('home:HomeHeading', { name: 'Ana' }) })).toBeVisible()

    await page.goto(paths.coachConfirmDetails())
    await expect(page.getByRole('heading', { level: 1, name: t('checkout:ProfileReview') })).toBeVisible()
    await expectCrumbs(page, t('ui:Breadcrumbs'), [t('checkout:Dashboard'), t('checkout:ProfileReview')])
    await expect(page.getByRole('combobox', { name: t('details:City') })).toHaveValue('Porto')
    await page.getByRole('button', { name: t('details:SaveAndContinue') }).click()

    await expectScreen(page, t, 'purchaseToken', paths.purchaseToken())
    await expectCrumbs(page, t('ui:Breadcrumbs'), [t('checkout:Dashboard'), t('checkout:PurchaseTokens')])
    const percent = language === 'fr' ? /12 jetons/ : /20% off from 12 tokens/
    await expect(page.getByRole('listitem').filter({ hasText: percent })).toBeVisible()
    for (const benefit of ['BenefitOneToken', 'BenefitAssign', 'BenefitBulk'])
      await expect(page.getByRole('listitem').filter({ hasText: startOf(t(`checkout:${benefit}`)) })).toBeVisible()
    const count = page.getByRole('spinbutton', { name: t('checkout:PlayerCount') })
    await expect(count).toHaveValue('1')
    await expect(page.getByText(TOKEN_PRICE).first()).toBeVisible()
    await count.fill('15')
    const summary = page.getByRole('region', { name: t('checkout:TokenCount', { count: 15 }) })
    await expect(summary.getByRole('deletion')).toHaveText('$525.00 USD')
    await expect(summary.getByText('$420.00 USD')).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
    await page.getByRole('button', { name: t('checkout:ContinueToPayment') }).click()

    await expectScreen(page, t, 'purchaseTokenPayment', paths.purchaseTokenPayment(15))
    await expectCrumbs(page, t('ui:Breadcrumbs'), [t('checkout:Dashboard'), t('checkout:PurchaseTokens'), t('checkout:TokenCheckout')])
    await expect(summary.getByText(TOKEN_PRICE)).toBeVisible()
    await expect(summary.getByRole('deletion')).toHaveText('$525.00 USD')
    await expect(cardForm(page).getByText('$420.00 USD')).toBeVisible()
    await pay(page, GOOD_CARD)

    await expectScreen(page, t, 'tokenPurchaseSuccessful', paths.tokenPurchaseSuccessful(), { timeout: 30_000 })
    await expectReceipt(page, language, 15)
    await page.reload()
    await expectReceipt(page, language, 15)
    await page.getByRole('link', { name: t('token-purchase:GoToDashboard') }).click()
    await expectScreen(page, t, 'home', paths.home())
    // in the summary, and in the token counts: in total and available
    await expect(page.getByRole('definition').filter({ hasText: /^15$/ })).toHaveCount(3)
    expect(await tokensAvailable(await signInByApi(server.url, email))).toBe(15)
  })
}

test('the count takes digits only, 1 to 100, typed, by keys or by pointer, and is still there on coming back', async ({
  page,
  t,
  server,
}) => {
  await arriveAs(page, await newCoach(server.url), paths.purchaseToken())
  const count = page.getByRole('spinbutton', { name: t('checkout:PlayerCount') })
  const less = page.getByRole('button', { name: t('checkout:OneLess') })
  const more = page.getByRole('button', { name: t('checkout:OneMore') })
  const total = (text: string) => expect(page.getByRole('status').filter({ hasText: t('checkout:Total') })).toContainText(text)
  await expect(count).toHaveAttribute('inputmode', 'numeric')
  await expect(count).toHaveValue('1')
  await expect(less).toBeDisabled()
  await total(TOKEN_PRICE)
  for (const control of [less, count, more]) {
    const box = await control.boundingBox()
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(48)
  }

  await more.click()
  await expect(count).toHaveValue('2')
  await expect(less).toBeEnabled()
  await total('$70.00 USD')
  // a pasted text that is not a whole number is refused with a reason
  for (const pasted of ['1.5', '1e2', '3 players']) {
    await count.fill(pasted)
    await expect(count).toHaveValue('2')
    await expect(count).toHaveAccessibleDescription(new RegExp(t('checkout:PlayerCountDigits')))
  }
  await count.fill('')
  await expect(page.getByText(t('checkout:PlayerCountDigits'))).toBeHidden()
  await count.pressSequentially('a-9.b')
  await expect(count).toHaveValue('9')
  await expect(page.getByText(t('checkout:MoreToDiscount', { count: 3, percent: '20%' }))).toBeVisible()
  await expect(page.getByRole('deletion')).toHaveCount(0)
  for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'PageUp']) await count.press(key)
  await expect(count).toHaveValue('21')
  await expect(count).toHaveAttribute('aria-valuenow', '21')
  await expect(page.getByRole('deletion')).toHaveText('$735.00 USD')
  await total('$588.00 USD')

  await count.fill('250')
  await expect(count).toHaveValue('250')
  await total('$2800.00 USD')
  await count.blur()
  await expect(count).toHaveValue('100')
  await expect(more).toBeDisabled()
  await count.press('ArrowUp')
  await expect(count).toHaveValue('100')
  for (const text of ['0', '']) {
    await count.fill(text)
    await count.blur()
    await expect(count).toHaveValue('1')
  }

  await count.fill('14')
  await count.press('Enter')
  await expectScreen(page, t, 'purchaseTokenPayment', paths.purchaseTokenPayment(14))
  await expect(cardForm(page).getByLabel('CVC')).toBeVisible()
  await page.goBack()
  await expect(count).toHaveValue('14')
  await page.reload()
  await expect(count).toHaveValue('14')
  await page.goForward()
  await page.getByRole('link', { name: t('checkout:PurchaseTokens') }).click()
  await expect(count).toHaveValue('14')
})

test('a payment opened by its URL: an invalid count becomes 1, a larger one 100', async ({ page, t, server }) => {
  await arriveAs(page, await newCoach(server.url), '/checkout/purchase-token/payment')
  const heading = (count: number) => page.getByRole('heading', { level: 2, name: t('checkout:TokenCount', { count }), exact: true })
  await expect(heading(1)).toBeVisible()
  for (const [query, count, amount] of [
    ['?count=', 1, TOKEN_PRICE],
    ['?count=0', 1, TOKEN_PRICE],
    ['?count=-4', 1, TOKEN_PRICE],
    ['?count=twelve', 1, TOKEN_PRICE],
    ['?count=101', 100, '$2800.00 USD'],
    ['?count=7', 7, '$245.00 USD'],
  ] as const) {
    await page.goto(`/checkout/purchase-token/payment${query}`)
    await expect(heading(count), query).toBeVisible()
    await expect(cardForm(page).getByText(amount), query).toBeVisible()
  }
})

test('the tokens arrive even if the page is closed after paying', async ({ page, server }) => {
  const coach = await newCoach(server.url)
  await page.route('**/stripe/token-purchase/return**', (route) => route.abort())
  await arriveAs(page, coach, paths.purchaseTokenPayment(4))
  const left = page.waitForEvent('requestfailed', (request) => request.url().includes('/stripe/token-purchase/return'))
  await pay(page, GOOD_CARD)
  await left
  await page.close()
  await expect.poll(() => tokensAvailable(coach), { timeout: 30_000 }).toBe(4)
})

test('a demo opened by the machine’s other name returns to that name after paying', async ({ page, t, server }) => {
  const coach = await newCoach(server.url)
  const origin = server.url.replace('127.0.0.1', 'localhost')
  await arriveAs(page, coach, paths.purchaseTokenPayment(2), { origin })
  await pay(page, GOOD_CARD)
  await expectScreen(page, t, 'tokenPurchaseSuccessful', origin + paths.tokenPurchaseSuccessful(), { timeout: 30_000 })
  expect(await tokensAvailable(coach)).toBe(2)
})

test('the profile review asks for missing details only, and does not change the teams', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { hasDetails: false })
  const team = {
    clubType: { id: 'academy', name: 'academy' },
    clubName: 'FC Porto',
    teamName: 'U17',
    country: { id: 'Portugal', name: 'Portugal' },
    location: { id: 'Porto', name: 'Porto' },
    teamGender: 'girls',
    ageGroup: { id: 'u17', name: 'u17' },
  }
  await coach.api.ask(users.update, { params: { id: coach.userId }, body: { teams: [team] } })
  await arriveAs(page, coach, paths.home())
  await page.getByRole('button', { name: t('tokens:BuyMoreAssessmentTokens') }).click()
  await expectScreen(page, t, 'profileReview', paths.coachConfirmDetails())
  const save = page.getByRole('button', { name: t('details:SaveAndContinue') })
  await save.click()
  for (const key of ['FirstNameRequired', 'LastNameRequired', 'CountryRequired', 'CityRequired']) {
    await expect(page.getByText(t(`fields:${key}`), { exact: true }), key).toBeVisible()
  }
  await expect(page.getByRole('heading', { name: t('details:TeamsCoached') })).toHaveCount(0)
  await page.getByLabel(t('details:FirstName')).fill('Rui')
  await page.getByLabel(t('details:LastName')).fill('Costa')
  await fillPorto(page, t)
  await save.click()
  await expectScreen(page, t, 'purchaseToken', paths.purchaseToken())
  const profile = await coach.api.ask(users.get, { params: { id: coach.userId } })
  expect(profile).toMatchObject({ firstName: 'Rui', countryId: 'Portugal', cityId: 'Porto', teams: [team] })
})

async function expectCrumbs(page: Page, name: string, labels: string[]): Promise<void> {
  await expect(page.getByRole('navigation', { name }).getByRole('listitem')).toHaveText(labels)
}
