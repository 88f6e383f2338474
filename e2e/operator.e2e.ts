import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { jobsForOperator } from '#contract/jobs.operator.ts'
import { replyLost, replyWith } from './support/front.ts'
import { expect, expectAccessible, test } from './support/journey.ts'
import { speak } from './support/look.ts'
import { expectScreen } from './support/screens.ts'
import { buyerWithoutPayment, coachInTrouble, erasedBuyer } from './support/trouble.ts'
import { wordsOf, type Words } from './support/words.ts'

/** The page of whoever runs the installation: what failed is repeated, what is odd is found, and nobody gets in without the key. OPERATE-23 */

async function enter(page: Page, t: Words, key: string): Promise<void> {
  await page.getByLabel(t('operator:Key')).fill(key)
  await page.getByRole('button', { name: t('operator:KeySubmit') }).click()
}

/** The id of a mail that the mail server refused; waits for it. */
async function failedMail(url: string, key: string): Promise<string> {
  let id: string | undefined
  await expect(async () => {
    const reply = await fetch(`${url}/api/job?queue=mails&state=failed&page=1&limit=10`, { headers: { authorization: `Bearer ${key}` } })
    const { data } = (await reply.json()) as ReplyOf<typeof jobsForOperator.list>
    id = data[0]?.jobId
    expect(id).toBeDefined()
  }).toPass()
  return id ?? ''
}

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('without the key of the server there is nothing to see', async ({ page, t }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
  await page.goto(paths.operator())
  await expectScreen(page, t, 'operator', paths.operator())
  await enter(page, t, '')
  await expect(page.getByRole('alert')).toHaveText(t('operator:KeyMissing'))
  await enter(page, t, 'é key')
  await expect(page.getByRole('alert')).toHaveText(t('operator:KeyWrong'))
  expect(asked.filter((one) => one.endsWith('/api/limit'))).toEqual([])
  await enter(page, t, 'not-the-key-of-this-server-but-as-long-as-one')
  await expect(page.getByRole('alert')).toHaveText(t('operator:KeyWrong'))
  await expect(page.getByLabel(t('operator:Key'))).toBeFocused()
  await expect(page.getByRole('heading', { level: 2 })).toHaveCount(0)
  await expectAccessible(page, 'a key that is wrong')
})

test('failed mails are repeated, and payments, limits and people are found', async ({ page, t, server }) => {
  const [buyer, coach] = [await buyerWithoutPayment(server.url), await coachInTrouble(server.url)]
  const key = await server.operatorKey()
  await erasedBuyer(server)
  await page.goto(paths.operator())
  await enter(page, t, key)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  const jobs = part(page, t('operator:JobsTitle'))
  const failed = jobs.getByRole('row').filter({ hasText: 'MailError EENVELOPE 550 RCPT TO' })
  await expect(async () => {
    await page.getByRole('button', { name: t('operator:LookAgain') }).click()
    await expect(failed).not.toHaveCount(0, { timeout: 500 })
  }).toPass()
  await expectAccessible(page, 'everything to look after')
  const first = failed.first()
  await expect(first).toContainText(t('operator:JobFailed'))
  await first.getByRole('button', { name: t('operator:RepeatOf', { name: 'invitation' }) }).click()
  await expect(jobs.getByText(t('operator:Repeated', { count: 1 }))).toBeVisible()
  // the mailbox is still not there, so it has failed once more
  await expect(async () => {
    await page.getByRole('button', { name: t('operator:LookAgain') }).click()
    await expect(jobs.getByRole('button', { name: t('operator:RepeatMails') })).toBeVisible({ timeout: 500 })
  }).toPass()

  const payments = part(page, t('operator:PaymentsTitle'))
  const order = payments.getByRole('row').filter({ hasText: t('operator:Unpaid') })
  await expect(order.first()).toContainText('$39.00')
  await expect(payments.getByRole('row').filter({ hasText: t('operator:Erased') })).toContainText(t('operator:BuyerErased'))
  await expect(part(page, t('operator:LimitsTitle'))).toContainText(t('operator:Limit_searches'))

  const people = part(page, t('operator:PeopleTitle'))
  await payments.getByRole('button', { name: t('operator:ShowPersonOf', { userId: buyer.userId }) }).click()
  await expect(people.getByRole('heading')).toBeFocused()
  await expect(people.getByRole('rowheader')).toHaveText([buyer.email])
  await people.getByLabel(t('operator:PeopleWanted')).fill('nobody')
  await people.getByRole('button', { name: t('operator:PeopleFind') }).click()
  await expect(people.getByText(t('operator:PeopleWantedInvalid'))).toBeVisible()
  await people.getByLabel(t('operator:PeopleWanted')).fill(coach.email)
  await people.getByRole('button', { name: t('operator:PeopleFind') }).click()
  await expect(people.getByRole('rowheader')).toHaveText([coach.email])
  await people.getByRole('button', { name: t('operator:PeopleAll') }).click()
  await expect(people.getByRole('rowheader')).toHaveCount(10)

  await page.setViewportSize({ width: 820, height: 1180 })
  await speak(page, 'fr')
  const french = wordsOf('fr')
  // every button is in sight
  const tables = await page
    .getByRole('region')
    .filter({ has: page.getByRole('table') })
    .filter({ hasNot: page.getByRole('heading') })
    .all()
  expect(tables.length).toBeGreaterThanOrEqual(3)
  for (const table of tables)
    expect(await table.evaluate((region) => [region.ariaLabel, region.scrollWidth - region.clientWidth])).toEqual([expect.anything(), 0])
  await expect(part(page, french('operator:PaymentsTitle'))).toContainText(french('operator:Unpaid'))
  await speak(page, 'en')
})

test('mails that are tried again are said to be so perhaps while no reply has come', async ({ page, t, server, front }) => {
  const key = await server.operatorKey()
  await coachInTrouble(server.url)
  await failedMail(server.url, key)
  await page.goto(front.url + paths.operator())
  await enter(page, t, key)
  const jobs = part(page, t('operator:JobsTitle'))
  const repeatAll = jobs.getByRole('button', { name: t('operator:RepeatMails') })
  const untilFailed = () =>
    expect(async () => {
      await page.getByRole('button', { name: t('operator:LookAgain') }).click()
      await expect(repeatAll).toBeVisible({ timeout: 500 })
    }).toPass()
  await untilFailed()
  front.bend(/\/api\/job\/repeat/, replyLost(server.url))
  await repeatAll.click()
  await expect(jobs.getByRole('alert')).toContainText(t('operator:MayBeRepeated'))
  await untilFailed()
  front.bend(/\/api\/job\/repeat/, replyWith(403, 'Forbidden'))
  await repeatAll.click()
  await expect(jobs.getByRole('alert')).toContainText(t('operator:MayBeRepeated'))
  front.mend()
  await repeatAll.click()
  // as many as other journeys have left, too
  await expect(jobs.getByRole('status')).toHaveText(/^\d+ /)
  await expect(jobs.getByRole('alert')).toHaveCount(0)
})

test('a search that failed shows nobody, and can be repeated', async ({ page, t, server }) => {
  const coach = await coachInTrouble(server.url)
  await page.goto(paths.operator())
  await enter(page, t, await server.operatorKey())
  const people = part(page, t('operator:PeopleTitle'))
  await expect(people.getByRole('rowheader')).not.toHaveCount(0)
  await page.route('**/api/user?*', (route) => route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>Bad</h1>' }))
  await people.getByLabel(t('operator:PeopleWanted')).fill(coach.email)
  await people.getByRole('button', { name: t('operator:PeopleFind') }).click()
  await expect(people.getByRole('alert')).toBeVisible()
  await expect(people.getByRole('rowheader')).toHaveCount(0)
  await page.unroute('**/api/user?*')
  await people.getByRole('button', { name: t('operator:PeopleFind') }).click()
  await expect(people.getByRole('rowheader')).toHaveText([coach.email])
  await expect(people.getByRole('alert')).toHaveCount(0)
})

test('a mail that came back is shown with the reason', async ({ page, t, server }) => {
  const key = await server.operatorKey()
  await coachInTrouble(server.url)
  await server.comesBack(await failedMail(server.url, key))
  await page.goto(paths.operator())
  await enter(page, t, key)
  const row = part(page, t('operator:BouncesTitle')).getByRole('row').filter({ hasText: '550 5.1.1' })
  await expect(row.first()).toContainText(t('operator:BounceUnknownAddress'))
  await expectAccessible(page, 'a mail that came back')
})

test('the key is stored nowhere, and asked for again after a reload, a sign-out and a new key', async ({ page, t, server, context }) => {
  const key = await server.operatorKey()
  await page.goto(paths.operator())
  await enter(page, t, key)
  await expect(part(page, t('operator:PeopleTitle'))).toBeVisible()
  const stored = await page.evaluate(async () => {
    const databases = await indexedDB.databases()
    return JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      location.href,
      history.state,
      databases.length,
      await caches.keys(),
    ])
  })
  expect(stored + JSON.stringify(await context.cookies())).not.toContain(key)
  await page.reload()
  await expect(page.getByLabel(t('operator:Key'))).toHaveValue('')

  await enter(page, t, key)
  await expect(part(page, t('operator:PeopleTitle'))).toBeVisible()
  // as when the page is left and the browser keeps it
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })))
  await expect(page.getByLabel(t('operator:Key'))).toHaveValue('')

  await enter(page, t, key)
  await page.getByRole('button', { name: t('operator:SignOut') }).click()
  await expect(page.getByLabel(t('operator:Key'))).toBeFocused()
  await expect(part(page, t('operator:PeopleTitle'))).toHaveCount(0)

  await enter(page, t, key)
  await expect(part(page, t('operator:PeopleTitle'))).toBeVisible()
  await page.route('**/api/limit', (route) =>
    route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer another' } }),
  )
  await page.getByRole('button', { name: t('operator:LookAgain') }).click()
  await expect(page.getByRole('alert')).toHaveText(t('operator:KeyRefused'))
})
