import { paths } from '#app/paths.ts'
import { coach as calls } from '#contract/coach.ts'
import { newAddress } from './support/api.ts'
import { newCoach } from './support/coach.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { ASSESSMENT, dialog, give, panel, row, toast } from './support/tokens-panel.ts'
import { wordsOf } from './support/words.ts'

/** What becomes of an invitation: one that bounces, and one that nobody wants. Decision 0026 */

test('an address that bounces is seen, and the token goes to the right one', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 1 })
  const wrong = `bounces@${newAddress().split('@')[0]}.test`
  await give(coach, wrong)
  const state = async () => (await coach.api.ask(calls.instances.allocated, { query: {} })).assessments[0]?.invitation
  await expect.poll(state).toBe('refused')
  await arriveAs(page, coach, paths.home())
  const team = page
    .getByRole('region', { name: t('home:TeamOverviewTitle') })
    .getByRole('row')
    .filter({ hasText: wrong })
  for (const one of [row(page, t, wrong), team]) {
    await expect(one.getByText(t('home:NotDelivered'))).toBeVisible()
    await expect(one).toContainText(t('home:NotDeliveredRefused'))
  }
  // the status itself is to the letter
  await expect(row(page, t, wrong).getByText('Pending', { exact: true })).toBeVisible()
  await expect(team.getByText('Invited', { exact: true })).toBeVisible()

  await panel(page, t)
    .getByRole('button', { name: t('home:TokenReclaimOf', { email: wrong }) })
    .click()
  await dialog(page)
    .getByRole('button', { name: t('home:ReclaimConfirm') })
    .click()
  await expect(toast(page, 'Assessment reclaimed successfully.')).toBeVisible()
  await give(coach, newAddress())
  await page.reload()
  await expect(page.getByText(t('home:TokenStatusPending'))).toBeVisible()
  await expect(page.getByText(t('home:NotDelivered'))).toHaveCount(0)
})

for (const language of ['en', 'fr'] as const) {
  test(`who wants no more invitations says so by the link in the mail, and can undo it (${language})`, async ({ page, server, api }) => {
    const t = wordsOf(language)
    const coach = await newCoach(server.url, { tokens: 3 })
    const email = newAddress()
    const body = { playerEmail: email, assessmentId: ASSESSMENT, language }
    await coach.api.ask(calls.instances.allocate, { body })
    await expect.poll(async () => (await api.mails(email)).length).toBe(1)
    const link = /https?:\/\/\S+\/invitations\/stop\?\S+/.exec((await api.mails(email))[0]?.text ?? '')?.[0] ?? ''

    await page.goto(link)
    await page.getByRole('button', { name: language === 'fr' ? 'Français' : 'English' }).click()
    await expect(page.getByRole('heading', { level: 1, name: t('invitations:StopTitle') })).toBeVisible()
    await expect(page.getByText(t('invitations:StopText'))).toBeVisible()
    await page.getByRole('button', { name: t('invitations:StopConfirm') }).click()
    await expect(page.getByRole('status').getByText(t('invitations:StopDone'))).toBeVisible()
    const resend = () => coach.api.ask(calls.instances.resend, { body: { playerEmail: email, assessmentId: ASSESSMENT } })
    await expect(resend()).rejects.toThrow()

    await page.getByRole('button', { name: t('invitations:StopUndo') }).click()
    await expect(page.getByText(t('invitations:StopUndone'))).toBeVisible()
    await resend()
    await expect.poll(async () => (await api.mails(email)).length).toBe(2)
  })
}

test('a link that was cut off says so', async ({ page, t }) => {
  await page.goto(paths.stopInvitations('abc'))
  await page.getByRole('button', { name: t('invitations:StopConfirm') }).click()
  await expect(page.getByText(t('invitations:StopUnknown'))).toBeVisible()
  await page.goto('/invitations/stop')
  await expect(page.getByText(t('invitations:StopUnknown'))).toBeVisible()
})
