import type { IncomingMessage } from 'node:http'
import { paths } from '#app/paths.ts'
import type { Bounce } from '#contract/bounces.ts'
import { instancesForCoach } from '#contract/instances.coach.ts'
import { BOUNCE_REASONS } from '#contract/rules/statuses.ts'
import { newAddress, type Person } from './support/api.ts'
import { newCoach } from './support/coach.ts'
import { replyLost, replyWith, type Bend } from './support/front.ts'
import { arriveAs, expect, expectAccessible, holdCalls, signOut, test } from './support/journey.ts'
import { expectScreen } from './support/screens.ts'
import { refresh } from './support/team-panel.ts'
import { ASSESSMENT, dialog, expectTotals, give, panel, row, toast } from './support/tokens-panel.ts'
import { wordsOf } from './support/words.ts'
import { speak } from './support/look.ts'

/** An invitation that bounces, and one that is unwanted. Decision 0026 */

const WORDS = {
  'unknown-address': 'BouncedUnknownAddress',
  'mailbox-full': 'BouncedMailboxFull',
  'not-accepted': 'BouncedNotAccepted',
} as const

/** The server's replies, in which the invitations to these addresses came back. */
function rowsWith(target: string, bounced: Record<string, Bounce>): Bend {
  const read = async ({ url = '', headers }: IncomingMessage) => {
    const { authorization = '', 'accept-language': language = 'en' } = headers
    const answer = await fetch(`${target}${url}`, { headers: { authorization, 'accept-language': language } })
    const body: unknown = JSON.parse(await answer.text(), (_key, value: unknown) => {
      if (typeof value !== 'object' || value === null) return value
      const email = 'assignedTo' in value ? value.assignedTo : 'userEmail' in value ? value.userEmail : undefined
      const one = bounced[String(email)]
      return one ? { ...value, invitation: one.why === 'unknown-address' ? 'refused' : 'given-up', bounced: one } : value
    })
    return replyWith(answer.status, body)
  }
  // a page that has left needs no reply
  return (incoming, reply, pass) =>
    void read(incoming).then(
      (bend) => bend(incoming, reply, pass),
      () => reply.destroy(),
    )
}

/** A coach with a token that went to an address which refuses the invitation. */
async function coachWhoInvited(url: string, bouncing: string, tokens = 1): Promise<Person> {
  const coach = await newCoach(url, { tokens })
  await giveInVain(coach, bouncing)
  return coach
}

/** Gives a token to an address, and waits until it has refused the invitation. */
async function giveInVain(coach: Person, bouncing: string): Promise<void> {
  await give(coach, bouncing)
  const allocated = async () => (await coach.api.ask(instancesForCoach.allocated, { query: {} })).assessments
  await expect.poll(async () => (await allocated()).find((one) => one.userEmail === bouncing)?.invitation).toBe('refused')
}

test('the coach sees that an address bounced, and gives the token to the right one', async ({ page, t, server }) => {
  const wrong = `bounces@${newAddress().split('@')[0]}.test`
  const coach = await coachWhoInvited(server.url, wrong, 2)
  await arriveAs(page, coach, paths.home())
  const team = page
    .getByRole('region', { name: t('team:TeamOverviewTitle') })
    .getByRole('row')
    .filter({ hasText: wrong })
  for (const one of [row(page, t, wrong), team]) {
    await expect(one.getByText(t('home:NotDelivered'))).toBeVisible()
    await expect(one).toContainText(t('home:NotDeliveredRefused'))
  }
  // the status is the fixed text
  await expect(row(page, t, wrong).getByText('Pending', { exact: true })).toBeVisible()
  await expect(team.getByText('Invited', { exact: true })).toBeVisible()

  await panel(page, t)
    .getByRole('button', { name: t('tokens:TokensUndelivered_one', { count: 1 }) })
    .click()
  // sending again to a refused address first asks whether it is right
  await panel(page, t)
    .getByRole('button', { name: t('tokens:TokenResendOf', { email: wrong }) })
    .click()
  await expect(dialog(page).getByText(t('tokens:CorrectRefused'))).toBeVisible()
  await dialog(page).getByLabel(t('tokens:CorrectEmail')).fill(wrong)
  await dialog(page)
    .getByRole('button', { name: t('tokens:CorrectSubmit') })
    .click()
  await expect(dialog(page).getByRole('alert')).toHaveText(t('tokens:CorrectSame'))
  const right = newAddress()
  await dialog(page).getByLabel(t('tokens:CorrectEmail')).fill(`mailto:${right}`)
  await dialog(page)
    .getByRole('button', { name: t('tokens:CorrectSubmit') })
    .click()
  await expect(toast(page, t('tokens:Corrected', { email: right }))).toBeVisible()
  await expect(row(page, t, right).getByText(t('tokens:TokenStatusPending'))).toBeVisible()
  await expect(row(page, t, wrong)).toHaveCount(0)
  await expectTotals(page, t, [2, 1, 1])
  await expect(page.getByText(t('home:NotDelivered'))).toHaveCount(0)

  // the next one does not switch the filter on
  const next = `bounces@${newAddress().split('@')[0]}.test`
  await giveInVain(coach, next)
  await refresh(page, t).click()
  await expect(row(page, t, next).getByText(t('home:NotDelivered'))).toBeVisible()
  await expect(row(page, t, right)).toBeVisible()
})

for (const language of ['en', 'fr'] as const) {
  test(`the coach sees when and why an invitation came back (${language})`, async ({ page, server, front }) => {
    const t = wordsOf(language)
    const coach = await newCoach(server.url, { tokens: 3 })
    const bounced: Record<string, Bounce> = {}
    for (const why of BOUNCE_REASONS) {
      const email = newAddress()
      await give(coach, email)
      bounced[email] = { at: '2026-01-15T12:40:00.000Z', why }
    }
    // mail servers report later than a journey can wait: the rest of each row is the server's
    front.bend(/^\/api\/(tokens|assessment\/coach\/allocated)(\?|$)/, rowsWith(server.url, bounced))
    await arriveAs(page, coach, paths.home(), { origin: front.url, language })
    const team = page.getByRole('region', { name: t('team:TeamOverviewTitle') }).getByRole('row')
    const when = language === 'fr' ? /15 janv(ier|\.) 2026/ : '15th Jan 2026'
    for (const [email, { why }] of Object.entries(bounced)) {
      const [before = '', after = ''] = t(`home:${WORDS[why]}`, { when: '|' }).split('|')
      for (const one of [row(page, t, email), team.filter({ hasText: email })]) {
        await expect(one.getByText(t('home:NotDelivered'))).toBeVisible()
        await expect(one).toContainText(before)
        await expect(one).toContainText(after)
        await expect(one).toContainText(when)
      }
      await panel(page, t)
        .getByRole('button', { name: t('tokens:TokenResendOf', { email }) })
        .click()
      await expect(dialog(page)).toBeVisible()
      // sending again is not offered where the server would refuse it
      const title = why === 'unknown-address' ? t('tokens:CorrectTitle') : t('tokens:ResendTitle')
      await expect(dialog(page).getByRole('heading', { name: title })).toBeVisible()
      await expect(dialog(page).getByRole('button', { name: t('tokens:CorrectResendAnyway') })).toHaveCount(0)
      await page.keyboard.press('Escape')
      await expect(dialog(page)).toHaveCount(0)
    }
    await expectAccessible(page, 'invitations that came back')
  })
}

test('a corrected address whose reply is lost can be sent again, and the screen says that it is corrected', async ({
  page,
  t,
  server,
  front,
}) => {
  const wrong = `bounces@${newAddress().split('@')[0]}.test`
  const coach = await coachWhoInvited(server.url, wrong)
  await arriveAs(page, coach, paths.home(), { origin: front.url })
  await panel(page, t)
    .getByRole('button', { name: t('tokens:CorrectAddressOf', { email: wrong }) })
    .click()
  const right = newAddress()
  await dialog(page).getByLabel(t('tokens:CorrectEmail')).fill(right)
  front.bend(/\/correct-address/, replyLost(server.url))
  const submit = dialog(page).getByRole('button', { name: t('tokens:CorrectSubmit') })
  await submit.click()
  await expect(dialog(page).getByRole('alert')).toHaveText(t('tokens:AddressUnknown'))
  front.mend()
  await submit.click()
  await expect(toast(page, t('tokens:Corrected', { email: right }))).toBeVisible()
  await expect(row(page, t, right)).toBeVisible()
  await expectTotals(page, t, [1, 1, 0])
})

test('the likely spelling of a mistyped address is one tap, which also removes its error', async ({ page, t, server }) => {
  const [wrong, meant] = ['bounces@gmial.com', 'bounces@gmail.com']
  await arriveAs(page, await coachWhoInvited(server.url, wrong), paths.home())
  await panel(page, t)
    .getByRole('button', { name: t('tokens:CorrectAddressOf', { email: wrong }) })
    .click()
  await dialog(page)
    .getByRole('button', { name: t('tokens:CorrectSubmit') })
    .click()
  await expect(dialog(page).getByRole('alert')).toHaveText(t('tokens:CorrectSame'))
  await dialog(page)
    .getByRole('button', { name: t('tokens:AddressSlip', { email: meant }) })
    .click()
  await expect(dialog(page).getByLabel(t('tokens:CorrectEmail'))).toHaveValue(meant)
  await expect(dialog(page).getByLabel(t('tokens:CorrectEmail'))).toBeFocused()
  await expect(dialog(page).getByRole('alert')).toHaveCount(0)
})

for (const language of ['en', 'fr'] as const) {
  test(`the link in the mail stops invitations, and this can be undone (${language})`, async ({ page, server, api }) => {
    const t = wordsOf(language)
    const coach = await newCoach(server.url, { tokens: 3 })
    const email = newAddress()
    const body = { playerEmail: email, assessmentId: ASSESSMENT, language }
    await coach.api.ask(instancesForCoach.allocate, { body })
    await expect.poll(async () => (await api.mails(email)).length).toBe(1)
    const link = /https?:\/\/\S+\/invitations\/stop\?\S+/.exec((await api.mails(email))[0]?.text ?? '')?.[0] ?? ''

    await page.goto(link)
    await speak(page, language)
    await expect(page.getByRole('heading', { level: 1, name: t('invitations:StopTitle') })).toBeVisible()
    await expect(page.getByText(t('invitations:StopText'))).toBeVisible()
    await page.getByRole('button', { name: t('invitations:StopConfirm') }).click()
    await expect(page.getByRole('status').getByText(t('invitations:StopDone'))).toBeVisible()
    const resend = () => coach.api.ask(instancesForCoach.resend, { body: { playerEmail: email, assessmentId: ASSESSMENT } })
    await expect(resend()).rejects.toThrow()

    await page.getByRole('button', { name: t('invitations:StopUndo') }).click()
    await expect(page.getByText(t('invitations:StopUndone'))).toBeVisible()
    await resend()
    await expect.poll(async () => (await api.mails(email)).length).toBe(2)
  })
}

test('a lost reply of Undo is not taken for the state before it', async ({ page, server, api, t }) => {
  const coach = await newCoach(server.url, { tokens: 1 })
  const email = newAddress()
  await give(coach, email)
  await expect.poll(async () => (await api.mails(email)).length).toBe(1)
  const link = /https?:\/\/\S+\/invitations\/stop\?\S+/.exec((await api.mails(email))[0]?.text ?? '')?.[0] ?? ''
  await page.goto(link)
  await page.getByRole('button', { name: t('invitations:StopConfirm') }).click()
  await expect(page.getByText(t('invitations:StopDone'))).toBeVisible()
  await page.route(/\/api\/invitations\//, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: t('invitations:StopUndo') }).click()
  await expect(page.getByRole('status').getByText(t('invitations:StopUnsure'))).toBeVisible()
  await expect(page.getByText(t('invitations:StopDone'))).toBeHidden()
  await page.unrouteAll()
  await page.getByRole('button', { name: t('invitations:StopUndo') }).click()
  await expect(page.getByText(t('invitations:StopUndone'))).toBeVisible()
})

test('who signs out in another tab meanwhile is told all the same what became of the link', async ({ page, server, t }) => {
  const coach = await newCoach(server.url)
  await arriveAs(page, coach, paths.stopInvitations('abc'))
  const pass = await holdCalls(page, /^\/api\/.*stop/)
  const other = await page.context().newPage()
  await other.goto(paths.home())
  await page.getByRole('button', { name: t('invitations:StopConfirm') }).click()
  await signOut(other, t)
  await expectScreen(other, t, 'login', paths.login())
  pass()
  await expect(page.getByText(t('invitations:StopUnknown'))).toBeVisible()
})

test('the page of an incomplete link says so', async ({ page, t }) => {
  await page.goto(paths.stopInvitations('abc'))
  await page.getByRole('button', { name: t('invitations:StopConfirm') }).click()
  await expect(page.getByText(t('invitations:StopUnknown'))).toBeVisible()
  await page.goto('/invitations/stop')
  await expect(page.getByText(t('invitations:StopUnknown'))).toBeVisible()
})
