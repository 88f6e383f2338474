import { paths } from '#app/paths.ts'
import { tokens } from '#contract/tokens.ts'
import { newAddress } from './support/api.ts'
import { newCoach, payForTokens, refund, tokensAvailable } from './support/coach.ts'
import { replyWith, cut } from './support/front.ts'
import { arriveAs, expect, goOffline, goOnline, tapInVain, test, untilWorkerIsThere, workerTest } from './support/journey.ts'
import { cardForm, DECLINED_CARD, expectReceipt, GOOD_CARD, pay, TOKEN_PRICE } from './support/purchase.ts'
import { expectScreen } from './support/screens.ts'
import { dialog, give, panel } from './support/tokens-panel.ts'
import { wordsOf } from './support/words.ts'

/** A purchase of tokens with a fault: the connection, the card, the price or the reply. TOKENS-1 to TOKENS-12 */

const CHECKOUT = /^\/api\/assessment\/token\/checkout\//
const PRICING = /^\/api\/assessment\/token\/stripe-details/
const TOKENS = /^\/api\/tokens/
const VERIFY = /^\/api\/assessment\/token\/handle-checkout-completion/

test('a declined card is reported, and a good one then buys the tokens once', async ({ page, t, server }) => {
  const coach = await newCoach(server.url)
  await arriveAs(page, coach, paths.purchaseTokenPayment(3))
  await pay(page, DECLINED_CARD)
  await expect(cardForm(page).getByText('Your card was declined.')).toBeVisible()
  expect(await tokensAvailable(coach)).toBe(0)
  await pay(page, GOOD_CARD)
  await expectScreen(page, t, 'tokenPurchaseSuccessful', paths.tokenPurchaseSuccessful(), { timeout: 30_000 })
  await expectReceipt(page, 'en', 3)
  // the webhook arrives as well
  await page.reload()
  await expectReceipt(page, 'en', 3)
  // going back asks before another card form opens
  await page.goBack()
  await expect(page.getByText(t('checkout:PaymentAgain'))).toBeVisible()
  await page
    .getByRole('main')
    .getByRole('link', { name: t('shell:ReturnToDashboard') })
    .click()
  await expectScreen(page, t, 'home', paths.home())
})

test('tokens paid, and the reply lost: the payment for another count asks before a second card form opens', async ({ page, t, server }) => {
  const coach = await newCoach(server.url)
  await arriveAs(page, coach, paths.purchaseTokenPayment(3))
  await expect(cardForm(page).getByLabel('CVC')).toBeVisible()
  // nothing was paid: nothing is asked
  await page.goto(paths.purchaseTokenPayment(4))
  await page.route('**/dev/card-frame/pay', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await pay(page, GOOD_CARD)
  await expect.poll(() => tokensAvailable(coach)).toBe(4)
  await page.goto(paths.purchaseTokenPayment(5))
  await expect(page.getByRole('alert').getByText(t('checkout:PaymentAgain'))).toBeVisible()
  await expect(page.locator('iframe')).toHaveCount(0)
  await page.getByRole('button', { name: t('checkout:PaymentAgainGoOn') }).press('Enter')
  // its button is gone
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.unroute('**/dev/card-frame/pay')
  await pay(page, GOOD_CARD)
  await expectScreen(page, t, 'tokenPurchaseSuccessful', paths.tokenPurchaseSuccessful(), { timeout: 30_000 })
  // that outcome was shown, and the other one was asked about
  await page.goto(paths.purchaseTokenPayment(6))
  await expect(cardForm(page).getByLabel('CVC')).toBeVisible()
  expect(await tokensAvailable(coach)).toBe(9)
})

for (const language of ['en', 'fr'] as const) {
  test(`tokens paid in one tab: the payment left open in another asks before a second card form opens (${language})`, async ({
    page,
    server,
    context,
  }) => {
    const t = wordsOf(language)
    const coach = await newCoach(server.url)
    await arriveAs(page, coach, paths.purchaseTokenPayment(4), { language })
    await expect(cardForm(page).getByLabel('CVC')).toBeVisible()
    const other = await context.newPage()
    await other.goto(paths.purchaseTokenPayment(4))
    await pay(other, GOOD_CARD)
    await expectScreen(other, t, 'tokenPurchaseSuccessful', paths.tokenPurchaseSuccessful(), { timeout: 30_000 })

    await page.reload()
    await expect(page.getByText(t('checkout:PaymentAgain'))).toBeVisible()
    await expect(cardForm(page).getByLabel('CVC')).toHaveCount(0)
    // nothing of it was bought here before
    await page.goto(paths.purchaseTokenPayment(5))
    await expect(cardForm(page).getByLabel('CVC')).toBeVisible()
    expect(await tokensAvailable(coach)).toBe(4)
  })
}

test('tokens that were refunded after they were used are named, in both languages', async ({ page, server }) => {
  const coach = await newCoach(server.url)
  const sessionId = await payForTokens(coach, 2)
  await coach.api.ask(tokens.completeCheckout, { body: { session_id: sessionId } })
  const email = newAddress()
  for (const playerEmail of [email, newAddress()]) await give(coach, playerEmail)
  await refund(server.url, sessionId, 7000)
  await expect.poll(async () => (await coach.api.ask(tokens.list, { query: {} })).owed).toBe(2)
  for (const language of ['en', 'fr'] as const) {
    await arriveAs(page, coach, paths.home(), { language })
    const t = wordsOf(language)
    await expect(page.getByText(t('tokens:TokensOwed', { count: 2 }))).toBeVisible()
    await panel(page, t)
      .getByRole('button', { name: t('tokens:TokenReclaimOf', { email }) })
      .click()
    await expect(dialog(page).getByText(t('tokens:ReclaimTextOwed', { email }))).toBeVisible()
    await expect(dialog(page).getByText(t('tokens:ReclaimText', { email }))).toHaveCount(0)
  }
})

workerTest('a return offline says that the payment is not verified yet, and resumes by itself', async ({ page, t, server, front }) => {
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
  await page.getByRole('link', { name: t('shell:ReturnToDashboard') }).click()
  await expectScreen(page, t, 'home', front.url + paths.home())

  front.bend(VERIFY, replyWith(200, { status: 'open' }))
  for (const path of [paths.tokenPurchaseReturn('cs_test_not_paid'), '/stripe/token-purchase/return']) {
    await page.goto(front.url + path)
    await expect(page.getByRole('heading', { name: t('stripe:PaymentFailed') }), path).toBeVisible()
  }
})

test('a checkout that cannot be opened says so, leads back, is logged, and opens on retry', async ({ page, t, server, front }) => {
  const logged: string[] = []
  page.on('console', (message) => void (message.type() === 'error' && logged.push(message.text())))
  front.bend(CHECKOUT, replyWith(502, {}))
  await arriveAs(page, await newCoach(server.url), paths.purchaseTokenPayment(2), { origin: front.url })
  const unavailable = page.getByText(t('checkout:TokenCheckoutUnavailable'))
  await expect(unavailable).toBeVisible()
  await expect(page.getByText(t('checkout:NoClientSecret'))).toBeHidden()
  await expect(page.getByRole('link', { name: t('shell:ReturnToDashboard') })).toHaveAttribute('href', paths.home())
  expect(logged.some((text) => text.includes('No token checkout'))).toBe(true)
  // only logged: there is no toast
  await expect(page.getByRole('status').filter({ hasText: t('ui:Error') })).toHaveCount(0)

  front.mend()
  front.bend(CHECKOUT, replyWith(200, { clientSecret: null, sessionId: 'cs_test_without' }))
  await page.getByRole('button', { name: t('checkout:TryAgain') }).click()
  await expect(page.getByText(t('checkout:NoClientSecret'))).toBeVisible()
  await expect(unavailable).toBeVisible()

  front.mend()
  await page.getByRole('button', { name: t('checkout:TryAgain') }).click()
  await expect(cardForm(page).getByLabel('CVC')).toBeVisible()
})

test('there is no payment without a price, and both screens say why', async ({ page, t, server, front }) => {
  front.bend(PRICING, replyWith(500, {}))
  await arriveAs(page, await newCoach(server.url), paths.purchaseToken(), { origin: front.url })
  await expect(page.getByText(t('checkout:PricingFailed'))).toBeVisible()
  const goOn = page.getByRole('button', { name: t('checkout:ContinueToPayment') })
  await expect(goOn).toBeDisabled()
  await expect(goOn).toHaveAccessibleDescription(t('checkout:PricingNeeded'))
  // no number that the server has not sent
  await expect(page.getByText(t('checkout:BenefitDiscountUnknown'))).toBeVisible()
  await page.goto(front.url + paths.purchaseTokenPayment(2))
  await expect(page.getByText(t('checkout:PricingFailed'))).toBeVisible()
  await expect(page.getByRole('link', { name: t('shell:ReturnToDashboard') })).toBeVisible()
  front.mend()
  await page.getByRole('button', { name: t('checkout:TryAgain') }).click()
  await expect(cardForm(page).getByLabel('CVC')).toBeVisible()
})

test('nothing moves when the price arrives', async ({ page, t, server, front }) => {
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
  await expect(page.getByText(TOKEN_PRICE)).toBeVisible()
  expect([await stepper.boundingBox(), await summary.boundingBox()]).toEqual(before)
})

test('the default discount is used if there is no promotion', async ({ page, t, server, front }) => {
  front.bend(PRICING, (incoming, reply) => {
    void fetch(server.url + (incoming.url ?? ''), { headers: { authorization: incoming.headers.authorization ?? '' } })
      .then((response) => response.json() as Promise<object>)
      .then((pricing) => replyWith(200, { ...pricing, promotions: [] })(incoming, reply, () => undefined))
  })
  await arriveAs(page, await newCoach(server.url), paths.purchaseToken(12), { origin: front.url })
  await expect(page.getByText(t('checkout:BenefitDiscount', { threshold: 12, percent: '20%' }))).toBeVisible()
  await expect(page.getByRole('deletion')).toHaveText('$420.00 USD')
})

workerTest('nothing is bought or queued offline', async ({ page, t, server }) => {
  const coach = await newCoach(server.url)
  await arriveAs(page, coach, paths.purchaseToken(5))
  await expect(page.getByText(TOKEN_PRICE).first()).toBeVisible()
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

test('a receipt without its count says that the purchase succeeded', async ({ page, t, server, front }) => {
  front.bend(TOKENS, replyWith(500, {}))
  await arriveAs(page, await newCoach(server.url, { tokens: 2 }), paths.tokenPurchaseSuccessful(), { origin: front.url })
  await expect(page.getByText(t('token-purchase:CountFailed'))).toBeVisible()
  await expect(page.getByRole('link', { name: t('token-purchase:GoToDashboard') })).toBeVisible()
  front.mend()
  await page.getByRole('button', { name: t('token-purchase:TryAgain') }).click()
  await expectReceipt(page, 'en', 2)
})
