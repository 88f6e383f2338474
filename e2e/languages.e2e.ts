import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import type { Language } from '#contract/languages.ts'
import { newAddress, newPlayer, signInByApi, DEMO_PLAYER_DONE } from './support/api.ts'
import { newCoach } from './support/coach.ts'
import { arriveAs, askForCode, expect, test } from './support/journey.ts'
import { cardForm } from './support/purchase.ts'
import { expectScreen } from './support/screens.ts'
import { texts, wordsOf } from './support/words.ts'
import { speak } from './support/look.ts'

const languages: Language[] = ['en', 'fr']
// axe and the other widths: accessibility.e2e.ts
const width = 390

for (const language of languages) {
  test(`every screen is in ${language}`, async ({ page, server }) => {
    test.slow()
    const t = wordsOf(language)
    const look = (where: string) => expectWell(page, language, `${where}, ${language}`)
    await page.setViewportSize({ width, height: 844 })

    await page.goto(paths.login())
    await speak(page, language)
    await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
    await page.getByRole('button', { name: t('auth:SendCode') }).click()
    await look('login')
    await page.goto(paths.onboard())
    await page.getByRole('button', { name: t('auth:OnboardSubmit') }).click()
    await expect(page.getByText(t('fields:FirstNameRequired'))).toBeVisible()
    await look('onboard')
    await page.goto(paths.login())
    await askForCode(page, t, newAddress())
    await look('otp')

    const guest = await signInByApi(server.url, newAddress())
    await arriveAs(page, guest, paths.checkout('touchline-profile'), { language })
    await page.getByRole('button', { name: t('details:SaveAndContinue') }).click()
    await expect(page.getByText(t('fields:GenderRequired'))).toBeVisible()
    await look('details')

    const player = await newPlayer(server.url, { questions: 3 })
    await arriveAs(page, player, paths.home(), { language })
    await expect(page.getByText(t('home:AnsweredOf', { answered: 12, total: 112 }))).toBeVisible()
    await look('home')
    await page.goto(paths.profile())
    await expectScreen(page, t, 'profile', paths.profile())
    await look('profile')
    await page.goto(paths.about())
    await expectScreen(page, t, 'about', paths.about())
    await look('about')
    await page.goto(paths.payment('touchline-profile'))
    await expect(cardForm(page).getByLabel('CVC')).toBeVisible()
    await look('payment')
    await page.goto(paths.directPurchaseReturn('cs_test_unknown'))
    await expect(page.getByRole('heading', { name: t('stripe:PaymentFailed') })).toBeVisible()
    await look('payment return')
    const newcomer = await newPlayer(server.url)
    await arriveAs(page, newcomer, paths.brief(newcomer.instanceId), { language })
    await expect(page.getByRole('heading', { name: t('brief:BriefMobileTitle') })).toBeVisible()
    await look('mobile warning')
    await arriveAs(page, player, paths.brief(player.instanceId), { language })
    await expect(page.getByRole('link', { name: t('brief:BriefContinue') })).toBeVisible()
    await look('brief')
    await page.goto(paths.test(player.instanceId))
    for (const number of [1, 2, 3]) {
      await page.getByRole('tab', { name: t('assessment:TestSection', { number }) }).click()
      await expect(page.getByRole('tabpanel', { name: t('assessment:TestSection', { number }) })).toBeVisible()
      await look(`test, section ${number}`)
    }

    const done = await signInByApi(server.url, DEMO_PLAYER_DONE)
    await arriveAs(page, done, paths.home(), { language })
    await page
      .getByRole('link', { name: t('player:ViewResultsOf', { name: 'Touchline Profile¹' }) })
      .or(page.getByText(t('player:ViewResults'), { exact: true }))
      .first()
      .click()
    await expect(page.getByRole('heading', { name: t('results:ResultsOverviewTitle') })).toBeVisible()
    await look('results')
    await page.goto('/no-such-screen')
    await expect(page.getByRole('heading', { name: t('shell:PageNotFound') })).toBeVisible()
    await look('not found')
  })

  test(`a coach’s purchase is in ${language}`, async ({ page, server }) => {
    const t = wordsOf(language)
    const look = (where: string) => expectWell(page, language, `${where}, ${language}`)
    await page.setViewportSize({ width, height: 844 })
    await arriveAs(page, await newCoach(server.url), paths.coachConfirmDetails(), { language })
    await expect(page.getByLabel(t('details:FirstName'))).toHaveValue('Ana')
    await look('profile review')
    for (const count of [1, 15]) {
      await page.goto(paths.purchaseToken(count))
      await expect(page.getByText('$35.00 USD').first()).toBeVisible()
      await look(`${count} tokens`)
    }
    await page.goto(paths.purchaseTokenPayment(15))
    await expect(cardForm(page).getByLabel('CVC')).toBeVisible()
    await look('token payment')
    await page.goto(paths.tokenPurchaseSuccessful())
    await expect(page.getByText(t('token-purchase:TokensAvailable', { count: 0 }))).toBeVisible()
    await look('receipt')
    await page.goto(paths.checkout('touchline-profile'))
    await expect(page.getByRole('heading', { name: t('parts:ForPlayers') })).toBeVisible()
    await look('not a coach’s screen')
  })
}

/** The page is in this language, shows words and no keys, and fits the width. */
async function expectWell(page: Page, language: Language, where: string): Promise<void> {
  await expect(page.locator('html'), where).toHaveAttribute('lang', language)
  const shown = await page.evaluate(shownTexts)
  expect
    .soft(
      shown.filter((text) => KEYS.has(text) || /\{\{|\}\}|\bundefined\b|\bNaN\b|^\w+:[A-Z]\w+$/.test(text)),
      where,
    )
    .toEqual([])
  const { scrollWidth, clientWidth } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return { scrollWidth, clientWidth }
  })
  expect.soft(scrollWidth, `${where}: sideways scrolling`).toBeLessThanOrEqual(clientWidth)
}

/** Keys that are not also words. */
const KEYS = new Set(
  [...texts('en')].flatMap(([name, text]) => {
    const key = name.split(':')[1] ?? ''
    return key === text || /^[A-Z][a-z]+$/.test(key) ? [] : [key, name]
  }),
)

function shownTexts(): string[] {
  const found: string[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  // the body ends with the page's own script, which nobody reads
  while (walker.nextNode())
    if (walker.currentNode.parentElement?.localName !== 'script') found.push(walker.currentNode.textContent?.trim() ?? '')
  for (const element of document.querySelectorAll('[aria-label], [placeholder], [title], [alt]')) {
    for (const name of ['aria-label', 'placeholder', 'title', 'alt']) found.push(element.getAttribute(name) ?? '')
  }
  return [document.title, ...found].filter(Boolean)
}
