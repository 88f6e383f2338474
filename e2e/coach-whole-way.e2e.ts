import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { users } from '#contract/users.ts'
import type { Language } from '#contract/languages.ts'
import { newAddress, responsesOf, scriptOf, signInByApi } from './support/api.ts'
import { fillRegistration, tokensAvailable } from './support/coach.ts'
import { expect, goOffline, goOnline, workerTest as test, typeCode, untilWorkerIsThere } from './support/journey.ts'
import { GOOD_CARD, pay } from './support/purchase.ts'
import { team, teamRows } from './support/team-panel.ts'
import { dialog, panel, toast } from './support/tokens-panel.ts'
import { startOf, wordsOf } from './support/words.ts'
import { expectScreen } from './support/screens.ts'
import { speak } from './support/look.ts'

/** All that a coach does on a tablet in portrait, from the registration to a pitch without signal. */

/** Signs up with the invitation's address, and answers all of it. */
async function answerAll(url: string, email: string, firstName: string): Promise<void> {
  const player = await signInByApi(url, email)
  await player.api.ask(users.update, { params: { id: player.userId }, body: { firstName, lastName: 'Costa' } })
  const [given] = (await player.api.ask(instances.list, { query: {} })).data
  const instanceId = given?.instanceId ?? ''
  const responses = scriptOf(await player.api.ask(instances.get, { params: { instanceId } })).flatMap(responsesOf)
  await player.api.ask(instances.saveResponses, { body: { instanceId, responses } })
  await player.api.ask(instances.complete, { params: { instanceId } })
}

for (const language of ['en', 'fr'] satisfies Language[]) {
  test(`a coach registers, buys, gives, sees results, takes back, reads offline (${language}, 820 px)`, async ({ page, api, server }) => {
    test.slow()
    const t = wordsOf(language)
    const email = newAddress()
    const squad = Array.from({ length: 12 }, newAddress)
    await page.setViewportSize({ width: 820, height: 1180 })

    await page.goto(paths.onboard())
    await speak(page, language)
    await fillRegistration(page, t, email)
    await page.getByRole('button', { name: t('auth:OnboardSubmit') }).click()
    await expectScreen(page, t, 'otp', paths.otp())
    await typeCode(page, t, await api.code(email))
    await expect(page.getByRole('heading', { name: t('home:HomeHeading', { name: 'Ana' }) })).toBeVisible()
    await untilWorkerIsThere(page)

    // 15 tokens with the discount
    await panel(page, t)
      .getByRole('button', { name: t('tokens:BuyMoreAssessmentTokens') })
      .click()
    await page.getByRole('spinbutton', { name: t('checkout:PlayerCount') }).fill('15')
    await expect(page.getByText('$420.00 USD')).toBeVisible()
    await page.getByRole('button', { name: t('checkout:ContinueToPayment') }).click()
    await pay(page, GOOD_CARD)
    await expectScreen(page, t, 'tokenPurchaseSuccessful', paths.tokenPurchaseSuccessful(), { timeout: 30_000 })
    await page.getByRole('link', { name: t('token-purchase:GoToDashboard') }).click()

    // 14 addresses, two of them wrong
    await panel(page, t)
      .getByRole('button', { name: t('tokens:AssignMany') })
      .click()
    await dialog(page)
      .getByLabel(t('tokens:AssignManyList'))
      .fill(`${squad.join(', ')}\nmaya@club\nnobody.club.test@`)
    await dialog(page)
      .getByRole('button', { name: t('tokens:AssignManySend'), exact: true })
      .click()
    await expect(dialog(page).getByText(t('tokens:AssignManyResult', { sent: 12, left: 2 }))).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(teamRows(page, t)).toHaveCount(10)
    for (const one of squad) await expect.poll(async () => (await api.mails(one)).length).toBe(1)

    // players sign up and answer
    await answerAll(server.url, squad[0] ?? '', 'Inês')
    await answerAll(server.url, squad[1] ?? '', 'Rui')
    await page.reload()
    await team(page, t).getByRole('searchbox').fill('ines')
    await expect(teamRows(page, t)).toHaveText([/Inês Costa/])
    await expect(team(page, t).getByText(t('home:StatusCompleted'), { exact: true })).toBeVisible()
    await team(page, t)
      .getByLabel(startOf(t('team:TeamCellOf', { column: t('team:TeamColumnPosition'), name: '' })))
      .selectOption('Striker')
    await expect(toast(page, t('team:PositionUpdated', { position: t('team:TeamPositionStriker') }))).toBeVisible()
    const download = page.waitForEvent('download')
    await team(page, t)
      .getByRole('button', { name: t('team:TeamSaveFile') })
      .click()
    expect((await download).suggestedFilename()).toMatch(/\.csv$/)

    // one is taken back, another player is reminded
    await panel(page, t)
      .getByRole('button', { name: t('tokens:TokenReclaimOf', { email: squad[2] ?? '' }) })
      .click()
    await dialog(page)
      .getByRole('button', { name: t('tokens:ReclaimConfirm') })
      .click()
    await expect(toast(page, t('tokens:Reclaimed'))).toBeVisible()
    const coach = await signInByApi(server.url, email)
    expect(await tokensAvailable(coach)).toBe(4)
    await panel(page, t)
      .getByRole('button', { name: t('tokens:TokenResendOf', { email: squad[3] ?? '' }) })
      .click()
    await dialog(page)
      .getByRole('button', { name: t('tokens:TokenResend'), exact: true })
      .click()
    await expect(toast(page, t('tokens:Resent', { email: squad[3] ?? '' }))).toBeVisible()
    await expect.poll(async () => (await api.mails(squad[3] ?? '')).length).toBe(2)

    // at a pitch without signal
    await goOffline(page, t)
    await page.reload()
    await expect(teamRows(page, t)).toHaveText([/Inês Costa/])
    await expect(team(page, t).getByText(startOf(t('parts:AsOf', { moment: '' })))).toBeVisible()
    const resend = panel(page, t).getByRole('button', { name: t('tokens:TokenResendOf', { email: squad[3] ?? '' }) })
    await expect(resend).toHaveAccessibleDescription(t('ui:OnlineOnlyReason'))
    await goOnline(page, t)
    await expect(resend).not.toHaveAttribute('aria-disabled', 'true')
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  })
}
