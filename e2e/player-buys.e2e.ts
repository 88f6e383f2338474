import { paths } from '#app/paths.ts'
import { assessments } from '#contract/assessments.ts'
import { instances } from '#contract/instances.ts'
import type { Language } from '#contract/languages.ts'
import { newAddress, newPlayer, signInByApi } from './support/api.ts'
import { replyWith, cut, type Front } from './support/front.ts'
import { arriveAs, askForCode, expect, gate, login, test, typeCode, untilWorkerIsThere, workerTest } from './support/journey.ts'
import { KillableBrowser } from './support/killable-browser.ts'
import { cardForm, DECLINED_CARD, fillDetails, GOOD_CARD, pay, type Details } from './support/purchase.ts'
import { startOf, wordsOf } from './support/words.ts'
import { expectScreen } from './support/screens.ts'
import { speak } from './support/look.ts'

const cases: { language: Language; width: number; details: Details; price: RegExp }[] = [
  { language: 'en', width: 390, details: { country: 'Canada', typed: 'montreal', city: 'Montréal' }, price: /\$39\.00 USD/ },
  { language: 'fr', width: 1280, details: { country: 'France', typed: 'marsei', city: 'Marseille' }, price: /\$39\.00 USD/ },
]

for (const { language, width, details, price } of cases) {
  test(`a new address signs in, gives its details, pays and begins (${language}, ${width} px)`, async ({ page, api }) => {
    const t = wordsOf(language)
    const isPhone = width <= 768
    await page.setViewportSize({ width, height: 844 })
    await page.goto(paths.login())
    await speak(page, language)
    await login(page, t, api, newAddress())

    await page.getByRole('button', { name: startOf(t('home:StartAssessment')) }).click()
    await expect(page.getByRole('heading', { name: t('details:ConfirmDetailsTitle') })).toBeVisible()
    const save = page.getByRole('button', { name: t('details:SaveAndContinue') })
    await save.click()
    const missing = ['FirstName', 'LastName', 'Country', 'City', 'Gender', 'BirthDate', 'BestPosition']
    for (const field of missing) await expect(page.getByText(t(`fields:${field}Required`))).toHaveCount(1)
    await expect(page.getByLabel(t('details:FirstName'))).toBeFocused()

    await expect(page.getByRole('combobox', { name: t('details:City') })).toBeDisabled()
    await fillDetails(page, t, details)
    await save.click()
    await expectScreen(page, t, 'payment', paths.payment('touchline-profile'))
    await expect(page.getByText(price)).toBeVisible()
    await expect(page.getByRole('navigation', { name: t('ui:Breadcrumbs') })).toBeVisible()
    await pay(page, GOOD_CARD)

    await expectScreen(page, t, isPhone ? 'smallScreenWarning' : 'brief', /\/brief$/, { timeout: 30_000 })
    if (isPhone) await page.getByRole('button', { name: t('brief:BriefMobileContinue') }).click()
    await page.getByRole('link', { name: t('brief:BriefStart') }).click()
    await expect(page.getByRole('tab', { name: t('assessment:TestSection', { number: 1 }), exact: true })).toHaveAttribute(
      'aria-selected',
      'true',
    )
    await expect(page.getByRole('radiogroup')).toHaveCount(isPhone ? 4 : 48)
  })
}

test('a declined card is reported, and a good one then buys exactly one assessment', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.payment('touchline-profile'))
  await pay(page, DECLINED_CARD)
  await expect(cardForm(page).getByText('Your card was declined.')).toBeVisible()
  await expectScreen(page, t, 'payment', paths.payment('touchline-profile'))
  await pay(page, GOOD_CARD)
  await expect(page.getByRole('link', { name: t('brief:BriefStart') })).toBeVisible({ timeout: 30_000 })
  // going back asks before another card form opens
  await page.goBack()
  await expect(page.getByText(t('checkout:PaymentAgain'))).toBeVisible()
  await expect(cardForm(page).getByLabel('CVC')).toHaveCount(0)
  await page.getByRole('button', { name: t('checkout:PaymentAgainGoOn') }).click()
  await expect(cardForm(page).getByLabel('CVC')).toBeVisible()
  await page.goto(paths.home())
  await expect(page.getByRole('link', { name: startOf(t('player:GoToAssessmentOf', { name: '' })) })).toHaveCount(1)
  expect((await player.api.ask(instances.list, { query: {} })).data).toHaveLength(1)
})

test('a payment whose reply is lost, and the browser killed: the page asks before another card form opens', async ({ server, api, t }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  const browser = await KillableBrowser.make()
  try {
    const page = await browser.open()
    await page.goto(server.url + paths.login())
    await askForCode(page, t, player.email)
    await typeCode(page, t, await api.code(player.email))
    await expectScreen(page, t, 'home', server.url + paths.home())
    await page.goto(server.url + paths.payment('touchline-profile'))
    await page.route('**/dev/card-frame/pay', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await pay(page, GOOD_CARD)
    await expect(cardForm(page).getByRole('alert')).not.toBeEmpty()
    await browser.kill()

    const again = await browser.open()
    await again.goto(server.url + paths.payment('touchline-profile'))
    await expect(again.getByText(t('checkout:PaymentAgain'))).toBeVisible()
    await expect(cardForm(again).getByLabel('CVC')).toHaveCount(0)
    // only once: what opens now has not been paid
    await again.getByRole('button', { name: t('checkout:PaymentAgainGoOn') }).click()
    await expect(cardForm(again).getByLabel('CVC')).toBeVisible()
    await again.reload()
    await expect(cardForm(again).getByLabel('CVC')).toBeVisible()
    expect((await player.api.ask(instances.list, { query: {} })).data).toHaveLength(1)
  } finally {
    await browser.throwAway()
  }
})

test('the payment shows the summary, Processing and Back until the session is ready', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  const release = hold(front, CHECKOUT)
  await arriveAs(page, player, paths.home(), { origin: front.url })
  await page.getByRole('button', { name: startOf(t('home:StartAssessment')) }).click()
  await expectScreen(page, t, 'payment', front.url + paths.payment('touchline-profile'))
  const summary = page.getByRole('region', { name: 'Touchline Profile' })
  await expect(summary.locator('sup')).toHaveText('1')
  await expect(summary.getByRole('deletion')).toHaveText('$49.00 USD')
  await expect(summary.getByText('$39.00 USD')).toBeVisible()
  await expect(page.getByText(t('checkout:Processing'))).toBeVisible()
  const crumbs = page.getByRole('navigation', { name: t('ui:Breadcrumbs') })
  await expect(crumbs.getByRole('listitem')).toHaveText([t('checkout:Home'), t('checkout:PurchaseAssessment')])
  await page.getByRole('button', { name: t('checkout:Back') }).click()
  await expectScreen(page, t, 'home', front.url + paths.home())
  await page.goForward()
  release()
  // the provider shows plain text
  await expect(cardForm(page).getByText('Touchline Profile¹', { exact: true })).toBeVisible()
  await expect(page.getByText(t('checkout:Processing'))).toBeHidden()
})

test('the card form says in French what is bought', async ({ page, server }) => {
  await arriveAs(page, await newPlayer(server.url, { hasBought: false }), paths.payment('touchline-profile'), { language: 'fr' })
  await expect(cardForm(page).getByText('Évaluation\u00a0: Profil Touchline¹')).toBeVisible()
})

test('both screens of the checkout report an assessment that does not exist', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  for (const path of [paths.checkout('no-such-assessment'), paths.payment('no-such-assessment')]) {
    await arriveAs(page, player, path)
    await expect(page.getByRole('heading', { name: t('checkout:AssessmentNotFound') })).toBeVisible()
    await expect(page.getByText(t('checkout:AssessmentNotFoundDescription'))).toBeVisible()
    await expect(page.getByRole('link', { name: t('shell:ReturnToDashboard') })).toBeVisible()
  }
})

test('the reason why a checkout cannot open is shown in a toast titled Error and stays on the page', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  const { data } = await player.api.ask(assessments.list, { query: { page: 1, limit: 10 } })
  const [assessment] = data
  const prices = assessment?.prices.filter(({ nickname }) => !nickname)
  front.bend(/^\/api\/assessment\/touchline-profile/, replyWith(200, { ...assessment, prices }))
  await arriveAs(page, player, paths.payment('touchline-profile'), { origin: front.url })
  const toast = page.getByRole('status').filter({ hasText: t('ui:Error') })
  await expect(toast).toContainText(t('checkout:NoPromotionPrice'))
  await expect(page.getByRole('main').getByText(t('checkout:NoPromotionPrice'))).toBeVisible()
  // its regular price, and nothing struck through
  await expect(page.getByText('$49.00 USD')).toBeVisible()
  await expect(page.getByRole('deletion')).toHaveCount(0)

  front.mend()
  front.bend(CHECKOUT, replyWith(502, {}))
  await page.reload()
  await expect(toast).toContainText(t('checkout:CheckoutUrlFailed'))
  await expect(page.getByRole('main').getByText(t('checkout:CheckoutUrlFailed'))).toBeVisible()
  await expect(page.getByText(t('checkout:NoClientSecret'))).toBeHidden()

  front.mend()
  front.bend(CHECKOUT, replyWith(200, { url: null, clientSecret: null, sessionId: 'cs_test_without' }))
  await page.getByRole('button', { name: t('checkout:TryAgain') }).click()
  await expect(page.getByText(t('checkout:NoClientSecret'))).toBeVisible()

  front.mend()
  await page.getByRole('button', { name: t('checkout:TryAgain') }).click()
  await expect(cardForm(page).getByLabel('CVC')).toBeVisible()
})

test('a card form that cannot be loaded says so, and loads on retry', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  front.bend(/^\/dev\/stripe\.js/, replyWith(404, {}))
  await arriveAs(page, player, paths.payment('touchline-profile'), { origin: front.url })
  await expect(page.getByText(t('checkout:PaymentIssue'))).toBeVisible()
  front.mend()
  await page.getByRole('button', { name: t('checkout:TryAgain') }).click()
  await expect(cardForm(page).getByLabel('CVC')).toBeVisible()
})

test('a failed payment and one that cannot be checked yet have different messages', async ({ page, t, server, front }) => {
  const player = await signInByApi(server.url, newAddress())
  const failed = page.getByRole('heading', { name: t('stripe:PaymentFailed') })
  const release = hold(front, VERIFY)
  await arriveAs(page, player, paths.directPurchaseReturn('cs_test_of_somebody_else'), { origin: front.url })
  await expect(page.getByRole('heading', { name: t('stripe:ProcessingPayment') })).toBeVisible()
  release()
  await expect(failed).toBeVisible()
  // it may have gone through
  await expect(page.getByText(t('stripe:PaymentOfOther'))).toBeVisible()
  await expect(page.getByText(t('stripe:PaymentIssue'))).toBeHidden()
  await page.getByRole('link', { name: t('shell:ReturnToDashboard') }).click()
  await expectScreen(page, t, 'home', front.url + paths.home())

  front.mend()
  front.bend(VERIFY, replyWith(200, { status: 'open', assessmentInstanceId: null }))
  await page.goto(front.url + paths.directPurchaseReturn('cs_test_not_paid'))
  await expect(failed).toBeVisible()
  await expect(page.getByText(t('stripe:PaymentIssue'))).toBeVisible()
  await page.goto(`${front.url}/stripe/direct-purchase/return`)
  await expect(failed).toBeVisible()

  front.mend()
  front.bend(VERIFY, replyWith(200, { status: 'complete', assessmentInstanceId: null }))
  await page.goto(front.url + paths.directPurchaseReturn('cs_test_paid'))
  await expect(page.getByRole('heading', { name: t('stripe:PaidTitle') })).toBeVisible()
  await expect(page.getByText(t('stripe:Paid'))).toBeVisible()

  front.mend()
  front.bend(VERIFY, replyWith(500, { code: 'INTERNAL', message: 'It broke', requestId: '-' }))
  await page.goto(front.url + paths.directPurchaseReturn('cs_test_broken'))
  await expect(page.getByRole('heading', { name: t('stripe:NotVerifiedTitle') })).toBeVisible()
  await expect(page.getByText(t('stripe:NotVerifiedByServer'))).toBeVisible()

  front.mend()
  front.bend(VERIFY, cut)
  await page.goto(front.url + paths.directPurchaseReturn('cs_test_unreachable'))
  await expect(page.getByRole('heading', { name: t('stripe:NotVerifiedTitle') })).toBeVisible()
  await expect(page.getByText(t('stripe:NotVerified'))).toBeVisible()
  // it checks again by itself
  front.mend()
  await expect(failed).toBeVisible({ timeout: 30_000 })
})

test('a failed payment can be tried again, and the page names a contact if the settings have one', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  const contact = page.getByRole('link', { name: startOf(t('stripe:ContactUs')) })
  await arriveAs(page, player, paths.directPurchaseReturn('cs_test_unknown'), { origin: front.url })
  await expect(page.getByRole('heading', { name: t('stripe:PaymentFailed') })).toBeVisible()
  // no checkout was opened in this tab, and the settings name no contact
  await expect(page.getByRole('link', { name: t('stripe:TryAgain') })).toBeHidden()
  await expect(contact).toBeHidden()

  await page.goto(front.url + paths.payment('touchline-profile'))
  await expect(cardForm(page).getByLabel('CVC')).toBeVisible()
  await page.route('**/api/settings', async (route) => {
    const response = await route.fetch()
    const reply = (await response.json()) as { links: object } // GET settings
    await route.fulfill({ response, json: { ...reply, links: { ...reply.links, contact: 'https://club.test/help' } } })
  })
  await page.goto(front.url + paths.directPurchaseReturn('cs_test_unknown'))
  await expect(contact).toHaveAttribute('href', 'https://club.test/help')
  await page.getByRole('link', { name: t('stripe:TryAgain') }).click()
  await expectScreen(page, t, 'payment', front.url + paths.payment('touchline-profile'))
  await expect(cardForm(page).getByLabel('CVC')).toBeVisible()
})

workerTest('the checkout says that there is no connection, and loads once there is one', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.about())
  await untilWorkerIsThere(page)
  const screens = [
    { path: paths.checkout('touchline-profile'), number: 1, step: 'StepDetails' },
    { path: paths.payment('touchline-profile'), number: 2, step: 'StepPayment' },
  ]
  for (const { path, number, step } of screens) {
    await page.context().setOffline(true)
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: t('checkout:NoConnection') })).toBeVisible()
    await expect(page.getByText(t('checkout:AssessmentUnreachable'))).toBeVisible()
    await expect(page.getByText(t('checkout:AssessmentNotFound'))).toBeHidden()
    await page.context().setOffline(false)
    await expect(page.getByText(t('parts:StepOf', { number, total: 3, name: t(`parts:${step}`) }))).toBeVisible()
  }
})

test('the card form begins on a phone’s first screen, and each step says where it is', async ({ page, t, server }) => {
  const newcomer = await signInByApi(server.url, newAddress())
  await page.setViewportSize({ width: 390, height: 760 })
  await arriveAs(page, newcomer, paths.checkout('touchline-profile'))
  const stepOf = (number: number, total: number, step: string) =>
    page.getByText(t('parts:StepOf', { number, total, name: t(`parts:${step}`) }))
  await expect(stepOf(1, 3, 'StepDetails')).toBeVisible()

  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.payment('touchline-profile'))
  await expect(stepOf(2, 3, 'StepPayment')).toBeVisible()
  await expect(cardForm(page).getByLabel(/card number/i)).toBeInViewport()
  // everything that BUY-2 names is on the page
  for (const text of ['How you like to play, how you like to learn', /There are no right answers/]) {
    await expect(page.getByText(text)).toBeVisible()
  }
  await page.goto(paths.confirmDetails(player.instanceId))
  await expect(stepOf(1, 2, 'StepDetails')).toBeVisible()
  await page.goto(paths.brief(player.instanceId))
  await page.getByRole('button', { name: t('brief:BriefMobileContinue') }).click()
  await expect(stepOf(3, 3, 'StepStart')).toBeVisible()
})

const CHECKOUT = /^\/api\/assessment\/checkout\//
const VERIFY = /^\/api\/assessment\/handle-checkout-completion/

/** Holds matching requests back until released, to see what the screen shows meanwhile. */
function hold(front: Front, path: RegExp): () => void {
  const { open, opened } = gate()
  front.bend(path, (_, __, pass) => void opened.then(pass))
  return open
}
