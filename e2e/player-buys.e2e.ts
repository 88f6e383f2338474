import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { newAddress, newPlayer, signInByApi } from './support/api.ts'
import { arriveAs, expect, login, test } from './support/journey.ts'
import { cardForm, DECLINED_CARD, fillDetails, GOOD_CARD, pay, type Details } from './support/purchase.ts'
import { startOf, wordsOf, type Language } from './support/words.ts'

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
    await page.getByRole('button', { name: language === 'fr' ? 'Français' : 'English' }).click()
    await login(page, t, api, newAddress())

    await page.getByRole('button', { name: startOf(t('home:StartAssessmentOf', { name: '' })) }).click()
    await expect(page.getByRole('heading', { name: t('parts:ConfirmDetailsTitle') })).toBeVisible()
    const save = page.getByRole('button', { name: t('parts:SaveAndContinue') })
    await save.click()
    const missing = ['FirstName', 'LastName', 'Country', 'City', 'Gender', 'BirthDate', 'BestPosition']
    for (const field of missing) await expect(page.getByText(t(`fields:${field}Required`)).first()).toBeVisible()
    await expect(page.getByLabel(t('parts:FirstName'))).toBeFocused()

    await expect(page.getByRole('combobox', { name: t('parts:City') })).toBeDisabled()
    await fillDetails(page, t, details)
    await save.click()
    await expect(page).toHaveURL(/\/payment$/)
    await expect(page.getByText(price)).toBeVisible()
    await expect(page.getByRole('navigation', { name: t('ui:Breadcrumbs') })).toBeVisible()
    await pay(page, GOOD_CARD)

    await expect(page).toHaveURL(/\/brief$/, { timeout: 30_000 })
    if (isPhone) {
      await expect(page.getByRole('heading', { name: t('assessment:BriefMobileTitle') })).toBeVisible()
      await page.getByRole('button', { name: t('assessment:BriefMobileContinue') }).click()
    }
    await page.getByRole('link', { name: t('assessment:BriefStart') }).click()
    await expect(page.getByRole('tab', { name: t('assessment:TestSection', { number: 1 }), exact: true })).toHaveAttribute(
      'aria-selected',
      'true',
    )
    await expect(page.getByRole('radiogroup')).toHaveCount(isPhone ? 4 : 48)
  })
}

test('a declined card is told, the good one then buys exactly one assessment', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.payment('touchline-profile'))
  await pay(page, DECLINED_CARD)
  await expect(cardForm(page).getByText('Your card was declined.')).toBeVisible()
  await expect(page).toHaveURL(/\/payment$/)
  await pay(page, GOOD_CARD)
  await expect(page.getByRole('link', { name: t('assessment:BriefStart') })).toBeVisible({ timeout: 30_000 })
  // coming back to the return page grants nothing twice
  await page.goBack()
  await page.goto(paths.home())
  await expect(page.getByRole('link', { name: startOf(t('home:GoToAssessmentOf', { name: '' })) })).toHaveCount(1)
  expect((await player.api.ask(instances.list, { query: {} })).data).toHaveLength(1)
})

test('a payment that failed or cannot be checked yet is said apart', async ({ page, t, server, front }) => {
  const player = await signInByApi(server.url, newAddress())
  await arriveAs(page, player, paths.directPurchaseReturn('cs_test_of_somebody_else'))
  await expect(page.getByRole('heading', { name: t('stripe:PaymentFailed') })).toBeVisible()
  await page
    .getByRole('link', { name: t('stripe:ReturnToDashboard') })
    .or(page.getByRole('button', { name: t('stripe:ReturnToDashboard') }))
    .click()
  await expect(page).toHaveURL(paths.home())

  front.bend(/^\/api\/assessment\/handle-checkout-completion/, (incoming) => void incoming.socket.destroy())
  await arriveAs(page, player, paths.directPurchaseReturn('cs_test_unreachable'), { origin: front.url })
  await expect(page.getByRole('heading', { name: t('stripe:NotVerifiedTitle') })).toBeVisible()
})
