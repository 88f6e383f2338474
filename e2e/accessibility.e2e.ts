import type { Page } from '@playwright/test'
import { RELOADED_KEY } from '#app/constants.ts'
import { paths } from '#app/paths.ts'
import type { AllocatedInstance } from '#contract/instances.coach.ts'
import type { Language } from '#contract/languages.ts'
import { newAddress, newPlayer, signInByApi, DEMO_PLAYER_DONE } from './support/api.ts'
import { WCAG, whatAxeFinds } from './support/axe.ts'
import { newCoach } from './support/coach.ts'
import { arriveAs, askForCode, expect, test } from './support/journey.ts'
import { speak, whatIsCutOff } from './support/look.ts'
import { cardForm } from './support/purchase.ts'
import { begin, give } from './support/tokens-panel.ts'
import { buyerWithoutPayment, coachInTrouble } from './support/trouble.ts'
import { startOf, wordsOf } from './support/words.ts'
import { DEMO_COACH, teamOf } from './support/team-panel.ts'

/**
 * Every screen that a guest, a player or a coach can reach, in 2 languages × 2 themes × 3 widths: no findings of axe, nothing wider
 * than the screen, nothing cut off. A screen is opened once; language, theme and width are changed in place.
 */

test.setTimeout(180_000)

const TAGS = [...WCAG, 'best-practice']
// as tall as the longest screen, so that sticky bars cover nothing
const SIZES = [1280, 820, 360].map((width) => ({ width, height: 8000 }))
const NARROW_AND_WIDE = SIZES.filter(({ width }) => width !== 820)
const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 360, height: 740 }
/** 1280 px at 400 % */
const ENLARGED = { width: 320, height: 256 }

test('the screens of a guest', async ({ page, t }) => {
  await page.goto(paths.login())
  await page.getByRole('button', { name: t('auth:SendCode') }).click()
  await look(page, 'sign-in')
  await page.goto(paths.onboard())
  await page.getByRole('button', { name: t('auth:OnboardSubmit') }).click()
  await expect(page.getByText(t('fields:FirstNameRequired'))).toBeVisible()
  await look(page, 'onboarding')
  await page.goto(paths.login())
  await askForCode(page, t, newAddress())
  await look(page, 'code')
  await page.goto(paths.limits())
  await expect(page.getByRole('heading', { name: t('about:AboutLimitsCertaintyTitle') })).toBeVisible()
  await look(page, 'what a result is')
  await page.goto(paths.answersFile())
  await expect(page.getByRole('button', { name: t('answers-file:Choose') })).toBeVisible()
  await look(page, 'bringing answers back')
  await page.goto(paths.stopInvitations('none'))
  await expect(page.getByRole('button', { name: t('invitations:StopConfirm') })).toBeVisible()
  await look(page, 'stopping invitations')
  await page.goto('/no-such-screen')
  await expect(page.getByRole('heading', { name: t('shell:PageNotFound') })).toBeVisible()
  await look(page, 'not found')
})

test('the operator’s page', async ({ page, t, server }) => {
  await buyerWithoutPayment(server.url)
  await coachInTrouble(server.url)
  await page.goto(paths.operator())
  await page.getByRole('button', { name: t('operator:KeySubmit') }).click()
  await expect(page.getByText(t('operator:KeyMissing'))).toBeVisible()
  await look(page, 'the operator’s sign-in')
  await page.getByLabel(t('operator:Key')).fill(await server.operatorKey())
  await page.getByRole('button', { name: t('operator:KeySubmit') }).click()
  await expect(page.getByRole('table', { includeHidden: true })).not.toHaveCount(0)
  await expect(page.getByText(t('operator:Limit_searches'))).toBeVisible()
  await look(page, 'the operator’s page')
})

test('the player’s screens around the assessment', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { questions: 3 })
  await arriveAs(page, player, paths.home())
  await expect(page.getByRole('link', { name: startOf(t('player:GoToAssessmentOf', { name: '' })) })).toBeVisible()
  await look(page, 'dashboard')
  await page.setViewportSize(PHONE)
  await page.getByRole('button', { name: t('shell:ToggleMenu') }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await look(page, 'menu', { languages: [], sizes: [PHONE] })
  await page.goto(paths.profile())
  await expect(page.getByLabel(t('details:FirstName'))).toHaveValue('Maya')
  await look(page, 'profile')
  await page.getByText(t('profile:CloseAccountTitle'), { exact: true }).click()
  for (const language of ['fr', 'en'] as const) {
    const words = wordsOf(language)
    await speak(page, language)
    for (const key of ['PhotoAdd', 'CloseAccountButton']) {
      await page.getByRole('button', { name: words(`profile:${key}`) }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await look(page, `${key}, ${language}`, { languages: [] })
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
    }
  }
  await page.goto(paths.device())
  await expect(page.getByText(t('device:WaitingNothing'))).toBeVisible()
  await look(page, 'this device')
  await page.goto(paths.about())
  await expect(page.getByRole('heading', { name: t('about:AboutLimitsTitle') })).toBeVisible()
  await look(page, 'about')
  await page.route(/about\.screen/, (route) => route.abort())
  await page.evaluate((key) => sessionStorage.setItem(key, String(Date.now())), RELOADED_KEY)
  await page.reload()
  await expect(page.getByRole('heading', { name: t('shell:UnexpectedApplicationError') })).toBeVisible()
  await look(page, 'error')
  await page.goto(paths.directPurchaseReturn('cs_test_unknown'))
  await expect(page.getByRole('heading', { name: t('stripe:PaymentFailed') })).toBeVisible()
  await look(page, 'payment failed')
})

test('the player’s screens of a purchase', async ({ page, t, server }) => {
  const newcomer = await signInByApi(server.url, newAddress())
  await arriveAs(page, newcomer, paths.home())
  await expect(page.getByRole('button', { name: startOf(t('home:StartAssessment')) })).toBeVisible()
  await look(page, 'empty dashboard')
  await page.goto(paths.checkout('touchline-profile'))
  await page.getByRole('button', { name: t('details:SaveAndContinue') }).click()
  await expect(page.getByText(t('fields:GenderRequired'))).toBeVisible()
  await look(page, 'details')
  await page.goto(paths.checkout('no-such-assessment'))
  await expect(page.getByRole('heading', { name: t('checkout:AssessmentNotFound') })).toBeVisible()
  await look(page, 'no such assessment')
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.payment('touchline-profile'))
  await expect(cardForm(page).getByLabel('CVC')).toBeVisible()
  await look(page, 'payment')
})

test('the coach’s team', async ({ page, t, server }) => {
  const coach = await signInByApi(server.url, DEMO_COACH)
  await arriveAs(page, coach, paths.home())
  await expect(page.getByRole('rowheader')).not.toHaveCount(0)
  await look(page, 'team')
  const results = (await teamOf(coach)).filter(({ status }) => status === 'COMPLETED')
  // with all that a row can be: a style and letters that are clear, others between two
  const hasBetween = ({ results: of }: AllocatedInstance) =>
    of?.section2.axes?.some(({ letter }) => letter === null) && of.Section1.styles?.length === 1
  await page.goto(paths.coachReport(results.find(hasBetween)?.instanceId ?? ''))
  await expect(page.getByRole('heading', { name: t('team:CoachReportQuestionsTitle') })).toBeVisible()
  await look(page, 'coach’s page of a player')
  await page.goto(paths.coachReport('unknown'))
  await expect(page.getByRole('alert')).toHaveText(t('team:CoachReportNotFound'))
  await look(page, 'no such report')
  await page.route(/\/api\/assessment\/coach\/allocated/, (route) => route.abort())
  await arriveAs(page, await newCoach(server.url), paths.home())
  await expect(page.getByText(t('team:ShowingDemoData'))).toBeVisible({ timeout: 30_000 })
  await look(page, 'team, examples')
})

test('the coach’s screens of a token purchase', async ({ page, t, server }) => {
  const newcomer = await newCoach(server.url, { hasDetails: false })
  await arriveAs(page, newcomer, paths.coachConfirmDetails())
  await page.getByRole('button', { name: t('details:SaveAndContinue') }).click()
  await expect(page.getByText(t('fields:CityRequired'))).toBeVisible()
  await look(page, 'profile review')
  await page.goto(paths.purchaseToken(15))
  await expect(page.getByRole('deletion')).toBeVisible()
  await look(page, 'tokens')
  await page.goto(paths.purchaseTokenPayment(100))
  await expect(cardForm(page).getByLabel('CVC')).toBeVisible()
  await look(page, 'token payment')
  await page.goto(paths.tokenPurchaseReturn('cs_test_unknown'))
  await expect(page.getByRole('heading', { name: t('stripe:PaymentFailed') })).toBeVisible()
  await look(page, 'token payment failed')
  await page.goto(paths.tokenPurchaseSuccessful())
  await expect(page.getByText(t('token-purchase:TokensAvailable', { count: 0 }))).toBeVisible()
  await look(page, 'receipt')
  await page.route('**/assessment/token/**', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto(paths.purchaseTokenPayment(1))
  await expect(page.getByText(t('checkout:PricingFailed'))).toBeVisible()
  await look(page, 'no price', { languages: [] })
  await page.goto(paths.checkout('touchline-profile'))
  await expect(page.getByRole('heading', { name: t('parts:ForPlayers') })).toBeVisible()
  await look(page, 'not a coach’s screen')
})

test('the coach’s tokens', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 14 })
  const player = await newPlayer(server.url, { hasBought: false })
  const instanceId = await give(coach, player.email)
  await begin(player, instanceId)
  await arriveAs(page, coach, paths.home())
  await expect(page.getByText(t('tokens:TokenBegun'))).toBeVisible()
  await look(page, 'tokens')
  for (const language of ['fr', 'en'] as const) {
    const words = wordsOf(language)
    const inDialog = async (what: string, open: string) => {
      await page.getByRole('button', { name: open, exact: true }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await look(page, `${what}, ${language}`, { languages: [], sizes: NARROW_AND_WIDE })
    }
    const close = async () => {
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
    }
    await speak(page, language)
    await inDialog('assign', words('tokens:TokenAssignOf', { index: 10 }))
    await page.getByRole('button', { name: words('tokens:AssignSubmit') }).click()
    await expect(page.getByText(words('tokens:AssignEmailInvalid'))).toBeVisible()
    await page.getByLabel(words('tokens:AssignPlayerEmail')).fill(coach.email)
    await page.getByRole('button', { name: words('tokens:AssignSubmit') }).click()
    await expect(page.getByRole('alert')).toBeVisible()
    await look(page, `assign refused, ${language}`, { languages: [], sizes: NARROW_AND_WIDE })
    await close()
    await inDialog('reclaim', words('tokens:TokenReclaimOf', { email: `Maya Lindqvist, ${player.email}` }))
    await close()
    await inDialog('many', words('tokens:AssignMany'))
    await page.getByLabel(words('tokens:AssignManyList')).fill(`${newAddress()}, ${player.email}, nobody, ${coach.email} some@where`)
    await page.getByRole('button', { name: words('tokens:AssignManySend'), exact: true }).click()
    await expect(page.getByText(words('tokens:AssignManyResult', { sent: 1, left: 4 }))).toBeVisible()
    await look(page, `many sent, ${language}`, { languages: [], sizes: NARROW_AND_WIDE })
    await close()
  }
})

test('the questionnaire', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { questions: 3 })
  await arriveAs(page, player, paths.confirmDetails(player.instanceId))
  await expect(page.getByLabel(t('details:FirstName'))).toHaveValue('Maya')
  await look(page, 'confirm details')
  await page.setViewportSize(PHONE)
  const newcomer = await newPlayer(server.url)
  await arriveAs(page, newcomer, paths.brief(newcomer.instanceId))
  await expect(page.getByRole('heading', { name: t('brief:BriefMobileTitle') })).toBeVisible()
  await look(page, 'mobile warning', { sizes: [PHONE, { width: 768, height: 1024 }] })
  await arriveAs(page, player, paths.brief(player.instanceId))
  await expect(page.getByRole('link', { name: t('brief:BriefContinue') })).toBeVisible()
  await look(page, 'brief')
  await page.setViewportSize(DESKTOP)
  await page.goto(paths.test(player.instanceId))
  for (const number of [1, 2, 3]) {
    await page.getByRole('tab', { name: t('assessment:TestSection', { number }) }).click()
    await expect(page.getByRole('tabpanel', { name: t('assessment:TestSection', { number }) })).toBeVisible()
    await look(page, `section ${number}`)
  }
  const done = await signInByApi(server.url, DEMO_PLAYER_DONE)
  await arriveAs(page, done, paths.home())
  await page.getByRole('link', { name: startOf(t('player:ViewResultsOf', { name: '' })) }).click()
  await expect(page.getByRole('heading', { name: t('results:ResultsOverviewTitle') })).toBeVisible()
  await look(page, 'results')
})

/**
 * axe looks at every size in English. What another language can break is looked at in French: names and labels at the last size, and
 * what is cut off at every size. A theme changes colours alone, whatever the language, so dark is looked at in English.
 *
 * `languages`: none where a dialog covers the language switch; then only the current language is checked.
 */
async function look(page: Page, what: string, { languages = ['fr', 'en'] as Language[], sizes = SIZES } = {}): Promise<void> {
  // finding → where, so that each fault is reported once
  const found = new Map<string, string[]>()
  const note = (where: string, findings: string[]) => {
    for (const finding of findings) found.set(finding, [...(found.get(finding) ?? []), where])
  }
  const size = page.viewportSize() ?? DESKTOP
  for (const language of languages.length > 0 ? languages : (['en'] as const)) {
    if (languages.length > 0) await speak(page, language)
    for (const { width, height } of sizes) {
      await page.setViewportSize({ width, height })
      if (language === 'en') {
        await page.emulateMedia({ colorScheme: 'dark' })
        note(`${language} ${width} dark`, await whatAxeFinds(page, 'colours'))
        await page.emulateMedia({ colorScheme: 'light' })
      }
      if (language === 'en' || width === sizes.at(-1)?.width) note(`${language} ${width} light`, await whatAxeFinds(page, TAGS))
      note(`${language} ${width}`, await whatStaysCutOff(page))
    }
    await page.setViewportSize(ENLARGED)
    note(`${language} at 400 %`, await whatStaysCutOff(page))
  }
  await page.setViewportSize(size)
  expect
    .soft(
      [...found].map(([finding, where]) => `${finding} (${where.join(', ')})`),
      what,
    )
    .toEqual([])
}

/** What is cut off, once the page has been laid out for its language and size. */
async function whatStaysCutOff(page: Page): Promise<string[]> {
  let cut: string[] = []
  const isNothing = async () => (cut = await page.evaluate(whatIsCutOff)).length === 0
  await expect
    .poll(isNothing, { timeout: 2000 })
    .toBe(true)
    .catch(() => undefined)
  return cut
}
