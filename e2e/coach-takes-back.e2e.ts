import type { Locator, Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instancesForCoach } from '#contract/instances.coach.ts'
import { newAddress, newPlayer } from './support/api.ts'
import { newCoach, tokensAvailable } from './support/coach.ts'
import { cut, firstReplyLost, refuseWith, replyLost } from './support/front.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { ASSESSMENT, panel, dialog, row, toast, expectTotals, give, begin } from './support/tokens-panel.ts'
import { watchRequests } from './support/requests.ts'
import type { Words } from './support/words.ts'

/** Sending an invitation again, and taking an assessment back. ASSIGN-17 to ASSIGN-21 */

/** The coach's list of tokens, and their figures. */
const TOKENS = /^\/api\/(tokens|coach)/

/** Neither a reload, nor a dialog that is opened again, nor a limit tells anything of an attempt whose reply was lost. */
async function expectStillUnsure(
  page: Page,
  t: Words,
  unsure: string,
  { reopen, confirm }: { reopen: () => Promise<void>; confirm: Locator },
) {
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await page.reload()
  await reopen()
  const alert = dialog(page).getByRole('alert')
  await expect(alert).toHaveText(unsure)
  await confirm.click()
  await expect(dialog(page).getByText(t('errors:TOO_MANY_REQUESTS'))).toBeVisible()
  await expect(alert).toHaveText(unsure)
}

test('an invitation is sent again, at most five times', async ({ page, t, server, api }) => {
  const coach = await newCoach(server.url, { tokens: 1 })
  const email = newAddress()
  await give(coach, email)
  await arriveAs(page, coach, paths.home())
  const resend = async () => {
    await panel(page, t)
      .getByRole('button', { name: t('tokens:TokenResendOf', { email }) })
      .click()
    await dialog(page)
      .getByRole('button', { name: t('tokens:TokenResend'), exact: true })
      .click()
  }
  await resend()
  await expect(toast(page, `Invitation resent to ${email}`)).toBeVisible()
  await expect(dialog(page)).toBeHidden()
  await expect.poll(async () => (await api.mails(email)).length).toBe(2)
  for (let count = 2; count <= 5; count += 1) {
    await coach.api.ask(instancesForCoach.resend, { body: { playerEmail: email, assessmentId: ASSESSMENT } })
  }
  // the page does not know of these yet
  await resend()
  await expect(toast(page, t('errors:ALREADY_RESENT'))).toBeVisible()
  await expect(dialog(page)).toBeHidden()
  await expect(async () => {
    await resend()
    await expect(toast(page, t('errors:RESEND_LIMIT'))).toBeVisible({ timeout: 2000 })
  }).toPass()
  await expect(dialog(page)).toBeHidden()
  await expectTotals(page, t, [1, 1, 0])
})

test('an invitation is sent again once, after a lost reply and from two devices', async ({ page, t, server, front, api }) => {
  const coach = await newCoach(server.url, { tokens: 1 })
  const email = newAddress()
  await give(coach, email)
  await arriveAs(page, coach, paths.home(), { origin: front.url })
  const resend = () =>
    panel(page, t)
      .getByRole('button', { name: t('tokens:TokenResendOf', { email }) })
      .click()
  const confirm = dialog(page).getByRole('button', { name: t('tokens:TokenResend'), exact: true })
  await expectTotals(page, t, [1, 1, 0])
  // so that the list does not tell what became of it
  front.bend(TOKENS, cut)
  front.bend(/\/resend/, replyLost(server.url))
  await resend()
  await confirm.click()
  await expect(toast(page, 'Failed to resend invitation. Please try again.')).toBeVisible()
  await expect(dialog(page).getByRole('alert')).toHaveText(t('tokens:ResendUnsure'))
  front.bend(/\/resend/, refuseWith(429, 'TOO_MANY_REQUESTS'))
  await expectStillUnsure(page, t, t('tokens:ResendUnsure'), { reopen: resend, confirm })
  front.mend()
  await confirm.click()
  await expect(toast(page, `Invitation resent to ${email}`)).toBeVisible()
  await expect(dialog(page)).toBeHidden()

  await resend()
  await coach.api.ask(instancesForCoach.resend, { body: { playerEmail: email, assessmentId: ASSESSMENT } })
  await confirm.click()
  await expect(toast(page, t('errors:ALREADY_RESENT'))).toBeVisible()
  await expect(dialog(page)).toBeHidden()
  // the first, the one whose reply was lost, and the other device's
  await expect.poll(async () => (await api.mails(email)).length).toBe(3)
})

test('an assessment is taken back; if the player has begun, the coach confirms twice', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 3 })
  const [idle, late] = [newAddress(), await newPlayer(server.url, { hasBought: false })]
  await give(coach, idle)
  const instanceId = await give(coach, late.email)
  await arriveAs(page, coach, paths.home())
  await expectTotals(page, t, [3, 2, 1])
  const reclaim = (email: string) =>
    panel(page, t)
      .getByRole('button', { name: t('tokens:TokenReclaimOf', { email }) })
      .click()
  const confirm = dialog(page).getByRole('button', { name: t('tokens:ReclaimConfirm') })

  await reclaim(idle)
  await expect(dialog(page).getByRole('button', { name: t('ui:Cancel') })).toBeFocused()
  await expect(dialog(page).getByText(t('tokens:ReclaimBegun', { email: idle }))).toHaveCount(0)
  await confirm.click()
  await expect(toast(page, 'Assessment reclaimed successfully.')).toBeVisible()
  await expectTotals(page, t, [3, 1, 2])
  await expect(row(page, t, idle)).toHaveCount(0)
  // the focus is not on the button of the row that is now in this place
  await expect(panel(page, t).getByRole('heading', { name: t('tokens:TokenManagementTitle') })).toBeFocused()

  await reclaim(late.email)
  await begin(late, instanceId)
  await confirm.click()
  await expect(dialog(page).getByRole('alert')).toHaveText(t('tokens:ReclaimHasJustBegun'))
  await expect(dialog(page).getByText(t('tokens:ReclaimBegun', { email: late.email }))).toBeVisible()
  await dialog(page)
    .getByRole('button', { name: t('ui:Cancel') })
    .click()
  await expectTotals(page, t, [3, 1, 2])
  await expect(row(page, t, late.email).getByText(t('tokens:TokenBegun'))).toBeVisible()

  // now with the player's own name
  const named = `Maya Lindqvist, ${late.email}`
  await reclaim(named)
  await expect(dialog(page).getByText(t('tokens:ReclaimBegun', { email: named }))).toBeVisible()
  await confirm.click()
  await expectTotals(page, t, [3, 0, 3])
  await arriveAs(page, late, paths.home())
  await expect(page.getByRole('heading', { name: t('player:PastAssessmentsTitle') })).toBeVisible()
  await expect(page.getByRole('heading', { name: t('player:InProgressAssessmentsTitle') })).toHaveCount(0)
})

test('a second Enter does not take back what the player has begun meanwhile', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 1 })
  const late = await newPlayer(server.url, { hasBought: false })
  const instanceId = await give(coach, late.email)
  await arriveAs(page, coach, paths.home())
  await panel(page, t)
    .getByRole('button', { name: t('tokens:TokenReclaimOf', { email: late.email }) })
    .click()
  await begin(late, instanceId)
  const sent = watchRequests(page, /\/reclaim/)
  await dialog(page)
    .getByRole('button', { name: t('tokens:ReclaimConfirm') })
    .press('Enter')
  await expect(dialog(page).getByRole('alert')).toHaveText(t('tokens:ReclaimHasJustBegun'))
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('alert')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(dialog(page).getByRole('button', { name: t('ui:Cancel') })).toBeFocused()
  expect(sent).toHaveLength(1)
  expect(await tokensAvailable(coach)).toBe(0)
})

test('an assessment that changed meanwhile is reported, and the table is updated', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 1 })
  const email = newAddress()
  const instanceId = await give(coach, email)
  await arriveAs(page, coach, paths.home())
  await panel(page, t)
    .getByRole('button', { name: t('tokens:TokenReclaimOf', { email }) })
    .click()
  await coach.api.ask(instancesForCoach.reclaim, { params: { instanceId }, query: {} })
  await dialog(page)
    .getByRole('button', { name: t('tokens:ReclaimConfirm') })
    .click()
  await expect(toast(page, t('errors:ALREADY_RECLAIMED'))).toBeVisible()
  await expectTotals(page, t, [1, 0, 1])

  await give(coach, email)
  await page.reload()
  await page.route('**/reclaim*', (route) => route.fulfill({ status: 404, json: { code: 'NOT_FOUND', message: 'Gone', requestId: '-' } }))
  await panel(page, t)
    .getByRole('button', { name: t('tokens:TokenReclaimOf', { email }) })
    .click()
  await dialog(page)
    .getByRole('button', { name: t('tokens:ReclaimConfirm') })
    .click()
  await expect(toast(page, 'Assessment instance not found.')).toBeVisible()
})

test('a lost reply while taking back: the screen says it may be done, and trying again is safe', async ({ page, t, server, front }) => {
  const coach = await newCoach(server.url, { tokens: 1 })
  const email = newAddress()
  await give(coach, email)
  await arriveAs(page, coach, paths.home(), { origin: front.url })
  await expectTotals(page, t, [1, 1, 0])
  // so that the list does not tell what became of it
  front.bend(TOKENS, cut)
  front.bend(/\/reclaim/, replyLost(server.url))
  const takeBack = () =>
    panel(page, t)
      .getByRole('button', { name: t('tokens:TokenReclaimOf', { email }) })
      .click()
  const confirm = dialog(page).getByRole('button', { name: t('tokens:ReclaimConfirm') })
  await takeBack()
  await confirm.click()
  await expect(toast(page, 'Failed to reclaim assessment. Please try again.')).toBeVisible()
  await expect(dialog(page).getByRole('alert')).toHaveText(t('tokens:ReclaimUnsure'))
  front.bend(/\/reclaim/, refuseWith(429, 'TOO_MANY_REQUESTS'))
  await expectStillUnsure(page, t, t('tokens:ReclaimUnsure'), { reopen: takeBack, confirm })
  front.mend()
  await confirm.click()
  await expect(toast(page, t('tokens:Reclaimed'))).toBeVisible()
  await expect(dialog(page)).toBeHidden()
  await expectTotals(page, t, [1, 0, 1])
})

test('a request that the browser repeats by itself is done once, and shown as done', async ({ page, t, server, front, api }) => {
  const coach = await newCoach(server.url, { tokens: 1 })
  const email = newAddress()
  await give(coach, email)
  await arriveAs(page, coach, paths.home(), { origin: front.url })
  await expectTotals(page, t, [1, 1, 0])
  const button = (name: string) => panel(page, t).getByRole('button', { name })
  front.bend(/\/resend/, firstReplyLost(server.url))
  await button(t('tokens:TokenResendOf', { email })).click()
  await dialog(page)
    .getByRole('button', { name: t('tokens:TokenResend'), exact: true })
    .click()
  await expect(toast(page, `Invitation resent to ${email}`)).toBeVisible()
  await expect.poll(async () => (await api.mails(email)).length).toBe(2)
  front.bend(/\/reclaim/, firstReplyLost(server.url))
  await button(t('tokens:TokenReclaimOf', { email })).click()
  await dialog(page)
    .getByRole('button', { name: t('tokens:ReclaimConfirm') })
    .click()
  await expect(toast(page, t('tokens:Reclaimed'))).toBeVisible()
  await expectTotals(page, t, [1, 0, 1])
})

test('rows without their ids are refused before anything is sent', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 1 })
  const email = newAddress()
  await give(coach, email)
  await page.route('**/api/tokens*', async (route) => {
    const response = await route.fetch()
    const reply = (await response.json()) as { tokens: Record<string, unknown>[] } // TOKENS-18
    await route.fulfill({
      response,
      json: { ...reply, tokens: reply.tokens.map((one) => ({ ...one, assessmentId: null, instanceId: null })) },
    })
  })
  await arriveAs(page, coach, paths.home())
  await panel(page, t)
    .getByRole('button', { name: t('tokens:TokenResendOf', { email }) })
    .click()
  await dialog(page)
    .getByRole('button', { name: t('tokens:TokenResend'), exact: true })
    .click()
  await expect(toast(page, 'Missing assessment ID or email address.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await panel(page, t)
    .getByRole('button', { name: t('tokens:TokenReclaimOf', { email }) })
    .click()
  await dialog(page)
    .getByRole('button', { name: t('tokens:ReclaimConfirm') })
    .click()
  await expect(toast(page, 'Assessment instance not found.')).toBeVisible()
})
