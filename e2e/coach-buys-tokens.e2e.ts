import { paths } from '#app/paths.ts'
import { users } from '#contract/users.ts'
import { newAddress, signInByApi } from './support/api.ts'
import { fillPorto, fillRegistration, newCoach, payForTokens, tokensAvailable } from './support/coach.ts'
import { answerWith, cut } from './support/front.ts'
import { arriveAs, expect, goOffline, goOnline, tapInVain, test, typeCode, untilWorkerIsThere, workerTest } from './support/journey.ts'
import { cardForm, DECLINED_CARD, GOOD_CARD, pay } from './support/purchase.ts'
import { wordsOf, type Language } from './support/words.ts'
import type { Page } from '@playwright/test'
import { expectScreen } from './support/screens.ts'

/** A coach's way from the registration to the receipt. TOKENS-1 to TOKENS-12 */

const PRICE = '$35.00 USD'
const CHECKOUT = /^\/api\/assessment\/token\/checkout\//
const PRICING = /^\/api\/assessment\/token\/stripe-details/
const VERIFY = /^\/api\/assessment\/token\/handle-checkout-completion/
const TOKENS = /^\/api\/tokens/

const visits: { language: Language; width: number; height: number }[] = [
  { language: 'en', width: 1280, height: 800 },
  { language: 'fr', width: 820, height: 1180 },
]

for (const { language, width, height } of visits) {
  test(`a new coach registers, looks the profile over, buys 15 tokens and has them (${language}, ${width} px)`, async ({
    page,
    api,
    server,
  }) => {
    const t = wordsOf(language)
    const email = newAddress()
    await page.setViewportSize({ width, height })
    await page.goto(paths.onboard())
    await page.getByRole('button', { name: language === 'fr' ? 'Français' : 'English' }).click()
    await fillRegistration(page, t, email)
    await page.getByRole('button', { name: t('auth:OnboardSubmit') }).click()
    await expectScreen(page, t, 'otp', paths.otp())
    await typeCode(page, t, await api.code(email))
    await expect(page.getByRole('heading', { name: t('home:HomeHeading', { name: 'Ana' }) })).toBeVisible()

    await page.goto(paths.coachConfirmDetails())
    await expect(page.getByRole('heading', { level: 1, name: t('checkout:ProfileReview') })).toBeVisible()
    await expectCrumbs(page, t('ui:Breadcrumbs'), [t('checkout:Dashboard'), t('checkout:ProfileReview')])
    await expect(page.getByRole('combobox', { name: t('parts:City') })).toHaveValue('Porto')
    await page.getByRole('button', { name: t('parts:SaveAndContinue') }).click()

    await expectScreen(page, t, 'purchaseToken', paths.purchaseToken())
    await expectCrumbs(page, t('ui:Breadcrumbs'), [t('checkout:Dashboard'), t('checkout:PurchaseTokens')])
    const percent = language === 'fr' ? /12 jetons/ : /20% off from 12 tokens/
    await expect(page.getByRole('listitem').filter({ hasText: percent })).toBeVisible()
    const count = page.getByRole('spinbutton', { name: t('checkout:PlayerCount') })
    await expect(count).toHaveValue('1')
    await expect(page.getByText(PRICE).first()).toBeVisible()
    await count.fill('15')
    const summary = page.getByRole('region', { name: t('checkout:TokenCount', { count: 15 }) })
    await expect(summary.getByRole('deletion')).toHaveText('$525.00 USD')
    await expect(summary.getByText('$420.00 USD')).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
    await page.getByRole('button', { name: t('checkout:ContinueToPayment') }).click()

    await expectScreen(page, t, 'purchaseTokenPayment', paths.purchaseTokenPayment(15))
    await expectCrumbs(page, t('ui:Breadcrumbs'), [t('checkout:Dashboard'), t('checkout:PurchaseTokens'), t('checkout:TokenCheckout')])
    await expect(summary.getByText(PRICE)).toBeVisible()
    await expect(summary.getByRole('deletion')).toHaveText('$525.00 USD')
    await expect(cardForm(page).getByText('$420.00 USD')).toBeVisible()
    await pay(page, GOOD_CARD)

    await expectScreen(page, t, 'tokenPurchaseSuccessful', paths.tokenPurchaseSuccessful(), { timeout: 30_000 })
    await expectReceipt(page, language, 15)
    await page.reload()
    await expectReceipt(page, language, 15)
    await page.getByRole('link', { name: t('token-purchase:GoToDashboard') }).click()
    await expectScreen(page, t, 'home', paths.home())
    // in the summary, and of the tokens: in total and available
    await expect(page.getByRole('definition').filter({ hasText: /^15$/ })).toHaveCount(3)
    expect(await tokensAvailable(await signInByApi(server.url, email))).toBe(15)
  })
}

test('the count: digits only, 1 to 100, by hand, by key and by pointer; it is there again when one comes back', async ({
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
  await total(PRICE)
  for (const control of [less, count, more]) {
    const box = await control.boundingBox()
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(48)
  }

  await more.click()
  await expect(count).toHaveValue('2')
  await expect(less).toBeEnabled()
  await total('$70.00 USD')
  // a paste that is no whole number stays outside, and is told so
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

test('a payment by its address: what is no count is 1, too much is 100', async ({ page, t, server }) => {
  await arriveAs(page, await newCoach(server.url), '/checkout/purchase-token/payment')
  const heading = (count: number) => page.getByRole('heading', { level: 2, name: t('checkout:TokenCount', { count }), exact: true })
  await expect(heading(1)).toBeVisible()
  for (const [query, count, amount] of [
    ['?count=', 1, PRICE],
    ['?count=0', 1, PRICE],
    ['?count=-4', 1, PRICE],
    ['?count=twelve', 1, PRICE],
    ['?count=101', 100, '$2800.00 USD'],
    ['?count=7', 7, '$245.00 USD'],
  ] as const) {
    await page.goto(`/checkout/purchase-token/payment${query}`)
    await expect(heading(count), query).toBeVisible()
    await expect(cardForm(page).getByText(amount), query).toBeVisible()
  }
})

test('a declined card is told, the good one then brings the tokens once', async ({ page, t, server }) => {
  const coach = await newCoach(server.url)
  await arriveAs(page, coach, paths.purchaseTokenPayment(3))
  await pay(page, DECLINED_CARD)
  await expect(cardForm(page).getByText('Your card was declined.')).toBeVisible()
  expect(await tokensAvailable(coach)).toBe(0)
  await pay(page, GOOD_CARD)
  await expectScreen(page, t, 'tokenPurchaseSuccessful', paths.tokenPurchaseSuccessful(), { timeout: 30_000 })
  await expectReceipt(page, 'en', 3)
  // the webhook comes as well
  await page.reload()
  await expectReceipt(page, 'en', 3)
  // whoever goes back is asked before another card form stands there
  await page.goBack()
  await expect(page.getByText(t('checkout:PaymentAgain'))).toBeVisible()
  await page
    .getByRole('main')
    .getByRole('link', { name: t('checkout:ReturnToDashboard') })
    .click()
  await expectScreen(page, t, 'home', paths.home())
})

test('whoever closes the page after paying has the tokens all the same', async ({ page, server }) => {
  const coach = await newCoach(server.url)
  await page.route('**/stripe/token-purchase/return**', (route) => route.abort())
  await arriveAs(page, coach, paths.purchaseTokenPayment(4))
  const left = page.waitForEvent('requestfailed', (request) => request.url().includes('/stripe/token-purchase/return'))
  await pay(page, GOOD_CARD)
  await left
  await page.close()
  await expect.poll(() => tokensAvailable(coach), { timeout: 30_000 }).toBe(4)
})

test('a demo opened by the machine’s other name stays at that name after paying', async ({ page, t, server }) => {
  const coach = await newCoach(server.url)
  const origin = server.url.replace('127.0.0.1', 'localhost')
  await arriveAs(page, coach, paths.purchaseTokenPayment(2), { origin })
  await pay(page, GOOD_CARD)
  await expectScreen(page, t, 'tokenPurchaseSuccessful', origin + paths.tokenPurchaseSuccessful(), { timeout: 30_000 })
  expect(await tokensAvailable(coach)).toBe(2)
})

workerTest('a return without a connection is not verified yet, and goes on by itself', async ({ page, t, server, front }) => {
  const coach = await newCoach(server.url)
  const sessionId = await payForTokens(coach, 6)
  const unverified = page.getByRole('heading', { name: t('stripe:NotVerifiedTitle') })
  await arriveAs(page, coach, paths.home())
  await untilWorkerIsThere(page)
  await page.context().setOffline(true)
  await page.goto(paths.tokenPurchaseReturn(sessionId))
  await expect(unverified).toBeVisible()
  await goOnline(page, t)
  await expectScreen(page, t, 'tokenPurchaseSuccessful', paths.tokenPurchaseSuccessful(), { timeout: 30_000 })
  await expectReceipt(page, 'en', 6)

  front.bend(VERIFY, cut)
  await arriveAs(page, coach, paths.tokenPurchaseReturn('cs_test_of_nobody'), { origin: front.url })
  await expect(unverified).toBeVisible()
  front.mend()
  await expect(page.getByRole('heading', { name: t('stripe:PaymentFailed') })).toBeVisible({ timeout: 30_000 })
  await page.getByRole('link', { name: t('stripe:ReturnToDashboard') }).click()
  await expectScreen(page, t, 'home', front.url + paths.home())

  front.bend(VERIFY, answerWith(200, { status: 'open' }))
  for (const path of [paths.tokenPurchaseReturn('cs_test_not_paid'), '/stripe/token-purchase/return']) {
    await page.goto(front.url + path)
    await expect(page.getByRole('heading', { name: t('stripe:PaymentFailed') }), path).toBeVisible()
  }
})

test('without a checkout the page says so, leads back, is logged, and comes when asked again', async ({ page, t, server, front }) => {
  const logged: string[] = []
  page.on('console', (message) => void (message.type() === 'error' && logged.push(message.text())))
  front.bend(CHECKOUT, answerWith(502, {}))
  await arriveAs(page, await newCoach(server.url), paths.purchaseTokenPayment(2), { origin: front.url })
  const unavailable = page.getByText(t('checkout:TokenCheckoutUnavailable'))
  await expect(unavailable).toBeVisible()
  await expect(page.getByText(t('checkout:NoClientSecret'))).toBeHidden()
  await expect(page.getByRole('link', { name: t('checkout:ReturnToDashboard') })).toHaveAttribute('href', paths.home())
  expect(logged.some((text) => text.includes('No token checkout'))).toBe(true)
  // only logged: no toast lies over the page
  await expect(page.getByRole('status').filter({ hasText: t('ui:Error') })).toHaveCount(0)

  front.mend()
  front.bend(CHECKOUT, answerWith(200, { clientSecret: null, sessionId: 'cs_test_without' }))
  await page.getByRole('button', { name: t('checkout:TryAgain') }).click()
  await expect(page.getByText(t('checkout:NoClientSecret'))).toBeVisible()
  await expect(unavailable).toBeVisible()

  front.mend()
  await page.getByRole('button', { name: t('checkout:TryAgain') }).click()
  await expect(cardForm(page).getByLabel('CVC')).toBeVisible()
})

test('without a price there is no payment, and both screens say why', async ({ page, t, server, front }) => {
  front.bend(PRICING, answerWith(500, {}))
  await arriveAs(page, await newCoach(server.url), paths.purchaseToken(), { origin: front.url })
  await expect(page.getByText(t('checkout:PricingFailed'))).toBeVisible()
  const goOn = page.getByRole('button', { name: t('checkout:ContinueToPayment') })
  await expect(goOn).toBeDisabled()
  await expect(goOn).toHaveAccessibleDescription(t('checkout:PricingNeeded'))
  // no number that the server has not said
  await expect(page.getByText(t('checkout:BenefitDiscountUnknown'))).toBeVisible()
  await page.goto(front.url + paths.purchaseTokenPayment(2))
  await expect(page.getByText(t('checkout:PricingFailed'))).toBeVisible()
  await expect(page.getByRole('link', { name: t('checkout:ReturnToDashboard') })).toBeVisible()
  front.mend()
  await page.getByRole('button', { name: t('checkout:TryAgain') }).click()
  await expect(cardForm(page).getByLabel('CVC')).toBeVisible()
})

test('while the price is asked for, everything stands where it will stand', async ({ page, t, server, front }) => {
  const gate = Promise.withResolvers<void>()
  front.bend(PRICING, (_, __, pass) => void gate.promise.then(pass))
  await page.setViewportSize({ width: 390, height: 844 })
  await arriveAs(page, await newCoach(server.url), paths.purchaseToken(15), { origin: front.url })
  const stepper = page.getByRole('spinbutton', { name: t('checkout:PlayerCount') })
  const summary = page.getByRole('region', { name: t('checkout:TokenCount', { count: 15 }) })
  await expect(stepper).toBeVisible()
  await expect(page.getByText('USD').filter({ visible: true })).toHaveCount(0)
  const before = [await stepper.boundingBox(), await summary.boundingBox()]
  gate.resolve()
  await expect(page.getByText(PRICE)).toBeVisible()
  expect([await stepper.boundingBox(), await summary.boundingBox()]).toEqual(before)
})

test('no promotion: the discount is the default one', async ({ page, t, server, front }) => {
  front.bend(PRICING, (incoming, reply) => {
    void fetch(server.url + (incoming.url ?? ''), { headers: { authorization: incoming.headers.authorization ?? '' } })
      .then((response) => response.json() as Promise<object>)
      .then((pricing) => answerWith(200, { ...pricing, promotions: [] })(incoming, reply, () => undefined))
  })
  await arriveAs(page, await newCoach(server.url), paths.purchaseToken(12), { origin: front.url })
  await expect(page.getByText(t('checkout:BenefitDiscount', { threshold: 12, percent: '20%' }))).toBeVisible()
  await expect(page.getByRole('deletion')).toHaveText('$420.00 USD')
})

workerTest('offline nothing is bought and nothing is queued', async ({ page, t, server }) => {
  const coach = await newCoach(server.url)
  await arriveAs(page, coach, paths.purchaseToken(5))
  await expect(page.getByText(PRICE).first()).toBeVisible()
  await goOffline(page, t)
  const goOn = page.getByRole('button', { name: t('checkout:ContinueToPayment') })
  await expect(goOn).toHaveAccessibleDescription(t('ui:OnlineOnlyReason'))
  await tapInVain(page, t, goOn)
  await expectScreen(page, t, 'purchaseToken', paths.purchaseToken(5))
  await goOnline(page, t)
  await untilWorkerIsThere(page)
  await page.context().setOffline(true)
  await page.goto(paths.purchaseTokenPayment(5))
  await expect(page.getByText(t('checkout:PricingNeedsConnection'))).toBeVisible()
  await page.context().setOffline(false)
  await expect(cardForm(page).getByLabel('CVC')).toBeVisible({ timeout: 30_000 })
  await page.context().setOffline(true)
  await page.goto(paths.tokenPurchaseSuccessful())
  await expect(page.getByText(t('token-purchase:CountNeedsConnection'))).toBeVisible()
  await page.context().setOffline(false)
  await expectReceipt(page, 'en', 0)
})

test('the receipt without its count says that the purchase is safe', async ({ page, t, server, front }) => {
  front.bend(TOKENS, answerWith(500, {}))
  await arriveAs(page, await newCoach(server.url, { tokens: 2 }), paths.tokenPurchaseSuccessful(), { origin: front.url })
  await expect(page.getByText(t('token-purchase:CountFailed'))).toBeVisible()
  await expect(page.getByRole('link', { name: t('token-purchase:GoToDashboard') })).toBeVisible()
  front.mend()
  await page.getByRole('button', { name: t('token-purchase:TryAgain') }).click()
  await expectReceipt(page, 'en', 2)
})

test('the profile review asks for what is missing, and leaves the teams alone', async ({ page, t, server }) => {
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
  const save = page.getByRole('button', { name: t('parts:SaveAndContinue') })
  await save.click()
  for (const key of ['FirstNameRequired', 'LastNameRequired', 'CountryRequired', 'CityRequired']) {
    await expect(page.getByText(t(`fields:${key}`), { exact: true }), key).toBeVisible()
  }
  await expect(page.getByRole('heading', { name: t('parts:TeamsCoached') })).toHaveCount(0)
  await page.getByLabel(t('parts:FirstName')).fill('Rui')
  await page.getByLabel(t('parts:LastName')).fill('Costa')
  await fillPorto(page, t)
  await save.click()
  await expectScreen(page, t, 'purchaseToken', paths.purchaseToken())
  const profile = await coach.api.ask(users.get, { params: { id: coach.userId } })
  expect(profile).toMatchObject({ firstName: 'Rui', countryId: 'Portugal', cityId: 'Porto', teams: [team] })
})

async function expectCrumbs(page: Page, name: string, labels: string[]): Promise<void> {
  await expect(page.getByRole('navigation', { name }).getByRole('listitem')).toHaveText(labels)
}

async function expectReceipt(page: Page, language: Language, count: number): Promise<void> {
  const t = wordsOf(language)
  await expect(page.getByRole('heading', { level: 1, name: t('token-purchase:PurchaseComplete') })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: t('token-purchase:TokensAvailable', { count }) })).toContainText(String(count))
}
