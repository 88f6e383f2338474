import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { newAddress } from './support/api.ts'
import { newCoach, tokensAvailable } from './support/coach.ts'
import { arriveAs, askForCode, expect, gate, goOffline, holdCalls, signOut, test, typeCode, workerTest } from './support/journey.ts'
import { expectScreen } from './support/screens.ts'
import type { ProductServer } from './support/server.ts'
import type { Words } from './support/words.ts'
import { watchRequests } from './support/requests.ts'
import { ALLOCATE, assignButton, dialog, emailField, expectTotals, give, openAssign, panel, toast } from './support/tokens-panel.ts'
import { expectInert } from './support/inert.ts'

/** While a dialog acts, nothing else in it does, and what was cancelled is not done. OFFLINE-2, ASSIGN-26 */

workerTest('taking back cannot be cancelled while the connection is checked', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 2 })
  const email = newAddress()
  await give(coach, email)
  await arriveAs(page, coach, paths.home())
  const sent = watchRequests(page, /\/api\/assessment\/assessment-instance\//)
  const cancel = dialog(page).getByRole('button', { name: t('ui:Cancel') })

  await panel(page, t)
    .getByRole('button', { name: t('tokens:TokenReclaimOf', { email }) })
    .click()
  await goOffline(page, t)
  const letThrough = await holdHealth(page)
  await page.context().setOffline(false)
  await dialog(page)
    .getByRole('button', { name: t('tokens:ReclaimConfirm') })
    .click({ force: true })
  await expectInert(cancel)
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeVisible()
  letThrough()
  await expect(toast(page, t('tokens:Reclaimed'))).toBeVisible()
  expect(sent).toHaveLength(1)
  expect(await tokensAvailable(coach)).toBe(2)
})

workerTest('an assignment that is cancelled while the connection is checked is not sent', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 1 })
  await arriveAs(page, coach, paths.home())
  await openAssign(page, t, 1)
  await emailField(page, t).fill(newAddress())
  await goOffline(page, t)
  const sent = watchRequests(page, ALLOCATE)
  const letThrough = await holdHealth(page)
  await page.context().setOffline(false)
  await emailField(page, t).press('Enter')
  await expect(assignButton(page, t)).toHaveAttribute('aria-busy', 'true')
  await dialog(page)
    .getByRole('button', { name: t('ui:Cancel') })
    .click()
  await expect(dialog(page)).toBeHidden()
  letThrough()
  await expect(page.getByText(t('shell:Offline'))).toBeHidden()
  await expectTotals(page, t, [1, 0, 1])
  expect(sent).toEqual([])
  expect(await tokensAvailable(coach)).toBe(1)
})

test('an invitation that is sent again does not become another action', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 1 })
  const email = newAddress()
  await give(coach, email)
  await arriveAs(page, coach, paths.home())
  const finish = await holdCalls(page, /\/resend/)
  await panel(page, t)
    .getByRole('button', { name: t('tokens:TokenResendOf', { email }) })
    .click()
  await dialog(page)
    .getByRole('button', { name: t('tokens:TokenResend'), exact: true })
    .click()
  await expectInert(dialog(page).getByRole('button', { name: t('tokens:CorrectInstead') }))
  finish()
  await expect(toast(page, t('tokens:Resent', { email }))).toBeVisible()
  await expect(dialog(page)).toBeHidden()
})

test('the assessment cannot be changed while it is assigned', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 2 })
  await page.route(/\/api\/assessment\?/, async (route) => {
    const response = await route.fetch()
    const reply = (await response.json()) as { data: Record<string, unknown>[] } // a list has data: API-41
    const [first] = reply.data
    await route.fulfill({ response, json: { ...reply, data: [first, { ...first, assessmentId: 'other', name: 'The other' }] } })
  })
  await arriveAs(page, coach, paths.home())
  await panel(page, t)
    .getByRole('button', { name: t('tokens:TokenAssignOf', { index: 1 }) })
    .click()
  await dialog(page).getByRole('listitem').first().getByRole('button').click()
  const finish = await holdCalls(page, ALLOCATE)
  await emailField(page, t).fill(newAddress())
  await assignButton(page, t).click()
  await expectInert(dialog(page).getByRole('button', { name: t('tokens:AssignChange') }))
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeVisible()
  finish()
  await expect(toast(page, t('tokens:Allocated'))).toBeVisible()
  await expect(dialog(page)).toBeHidden()
  expect(await tokensAvailable(coach)).toBe(1)
})

test('an assignment that fails after the coach has gone back says so', async ({ page, t, server }) => {
  const fail = await goBackWhileAssigning(page, t, server)
  fail()
  await expect(toast(page, t('errors:ALREADY_ALLOCATED'))).toBeVisible()
})

test('what fails after the coach has signed out is not told to the next person', async ({ page, t, api, server }) => {
  const fail = await goBackWhileAssigning(page, t, server)
  await signOut(page, t)
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  const reply = page.waitForResponse((response) => ALLOCATE.test(new URL(response.url()).pathname))
  fail()
  await (await reply).finished()
  const player = newAddress()
  await askForCode(page, t, player)
  await typeCode(page, t, await api.code(player))
  await expect(page.getByText(player, { exact: true })).toBeVisible()
  await page.goto(paths.device())
  await expectScreen(page, t, 'device', paths.device())
  await expect(page.getByRole('heading', { name: t('device:ErrorsTitle') })).toBeHidden()
})

test('taking back what has been begun meanwhile says so, also after the coach has gone back', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 1 })
  const email = newAddress()
  await give(coach, email)
  await arriveAs(page, coach, paths.profile())
  await page.getByRole('link', { name: t('shell:MenuHome'), exact: true }).click()
  await panel(page, t)
    .getByRole('button', { name: t('tokens:TokenReclaimOf', { email }) })
    .click()
  const { open, opened } = gate()
  const asked = watchRequests(page, /\/reclaim/)
  await page.route(/\/reclaim/, async (route) => {
    await opened
    await route.fulfill({ status: 409, json: { code: 'PLAYER_HAS_BEGUN', message: 'begun', requestId: 'r' } })
  })
  await dialog(page)
    .getByRole('button', { name: t('tokens:ReclaimConfirm') })
    .click()
  await expect.poll(() => asked.length).toBe(1)
  await page.goBack()
  await expect(page.getByRole('heading', { name: t('profile:ProfileTitle') })).toBeVisible()
  open()
  await expect(toast(page, t('tokens:ReclaimHasJustBegun'))).toBeVisible()
})

const holdHealth = (page: Page) => holdCalls(page, /\/api\/health$/)

/** A coach assigns, and goes back before the reply: a refusal, once the returned function is called. */
async function goBackWhileAssigning(page: Page, t: Words, server: ProductServer): Promise<() => void> {
  const coach = await newCoach(server.url, { tokens: 1 })
  await arriveAs(page, coach, paths.profile())
  await page.getByRole('link', { name: t('shell:MenuHome'), exact: true }).click()
  await openAssign(page, t, 1)
  const { open, opened } = gate()
  const asked = watchRequests(page, ALLOCATE)
  await page.route(
    ({ pathname }) => ALLOCATE.test(pathname),
    async (route) => {
      await opened
      await route.fulfill({ status: 409, json: { code: 'ALREADY_ALLOCATED', message: 'already', requestId: 'r' } })
    },
  )
  await emailField(page, t).fill(newAddress())
  await assignButton(page, t).click()
  await expect.poll(() => asked.length).toBe(1)
  await page.goBack()
  await expect(page.getByText(coach.email).first()).toBeVisible()
  return open
}
