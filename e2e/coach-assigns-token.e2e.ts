import { paths } from '#app/paths.ts'
import { newAddress } from './support/api.ts'
import { newCoach, tokensAvailable } from './support/coach.ts'
import { cut, refuseWith, replyLost } from './support/front.ts'
import { arriveAs, askForCode, expect, goOffline, test, typeCode, gate, untilWorkerIsThere, workerTest } from './support/journey.ts'
import {
  ALLOCATE,
  ASSESSMENT,
  panel,
  dialog,
  row,
  toast,
  expectTotals,
  openAssign,
  emailField,
  assignButton,
  give,
} from './support/tokens-panel.ts'
import { startOf } from './support/words.ts'
import { expectQuery, expectScreen } from './support/screens.ts'
import { watchRequests } from './support/requests.ts'

/** Giving one token to one player. TOKENS-16, ASSIGN-1, OFFLINE-2, TOKENS-19, HOME-7 */

test('a token given to a new address: the invitation leads the player to the assessment', async ({ page, t, server, api, browser }) => {
  const coach = await newCoach(server.url, { tokens: 3 })
  const email = newAddress()
  await arriveAs(page, coach, paths.home())
  await expectTotals(page, t, [3, 0, 3])
  await openAssign(page, t, 1)
  await expect(dialog(page).getByText('$')).toHaveCount(0)

  await assignButton(page, t).click()
  await expect(dialog(page).getByText('Please enter a valid email address', { exact: true })).toBeVisible()
  await emailField(page, t).fill(email)
  await assignButton(page, t).dblclick()
  await expect(toast(page, 'Assessment allocated successfully!')).toBeVisible()
  await expect(dialog(page)).toBeHidden()

  // two clicks, one token
  await expectTotals(page, t, [3, 1, 2])
  const given = row(page, t, email)
  await expect(given.getByText(t('tokens:TokenStatusPending'))).toBeVisible()
  await expect(given.getByText(/^\d+(st|nd|rd|th) \w{3} \d{4}$/)).toBeVisible()
  await expect(page.getByRole('region', { name: t('home:SummaryTitle') })).toContainText(/1\s*Players invited|Players invited\s*1/)
  await expect.poll(async () => (await api.mails(email)).length).toBe(1)
  const mails = await api.mails(email)

  const link = /https?:\/\/\S+\/brief\b/.exec(mails[0]?.text ?? '')?.[0] ?? ''
  const players = await (await browser.newContext({ baseURL: server.url, locale: 'en-US' })).newPage()
  await players.goto(link)
  await expectScreen(players, t, 'login', paths.login())
  await askForCode(players, t, email)
  await typeCode(players, t, await api.code(email))
  // a new account gives its details before it sees the brief (HOME-14)
  await expectScreen(players, t, 'confirmDetails', new URL(link).pathname.replace(/brief$/, 'confirm-details'))
  await players.goto(paths.home())
  const open = players.getByRole('region', { name: t('player:InProgressAssessmentsTitle') })
  await expect(open.getByText(t('player:GivenByCoach', { name: 'Ana Lopes' }))).toBeVisible()
  await expect(open.getByText(t('home:StatusAllocated'))).toBeVisible()
  await players.context().close()
})

test('a refused allocation says why and for whom; reopening the dialog starts empty', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 2 })
  const colleague = await newCoach(server.url)
  const player = newAddress()
  await give(coach, player)
  await arriveAs(page, coach, paths.home())
  const refusals = [
    [colleague.email, "Cannot allocate assessment to a coach. Please provide a player's email address."],
    [coach.email, "Cannot allocate assessment to a coach. Please provide a player's email address."],
    [player, t('errors:ALREADY_ALLOCATED')],
  ] as const
  await openAssign(page, t, 2)
  for (const [email, words] of refusals) {
    await emailField(page, t).fill(email)
    await assignButton(page, t).click()
    const alert = dialog(page).getByRole('alert')
    await expect(alert.getByText(words, { exact: true })).toBeVisible()
    await expect(alert.getByText(t('tokens:AssignFailedFor', { email }))).toBeVisible()
    await expect(emailField(page, t)).toHaveValue('')
    await expect(emailField(page, t)).toBeFocused()
  }
  expect(await tokensAvailable(coach)).toBe(1)
  await dialog(page)
    .getByRole('button', { name: t('tokens:AssignPutBack', { email: player }) })
    .click()
  await expect(emailField(page, t)).toHaveValue(player)
  await page.keyboard.press('Escape')
  await openAssign(page, t, 2)
  await expect(emailField(page, t)).toHaveValue('')
  await expect(dialog(page).getByRole('alert')).toHaveCount(0)
})

test('with several assessments one is chosen first; an assessment’s card opens the dialog with it chosen', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 1 })
  await page.route(/\/api\/assessment\?/, async (route) => {
    const response = await route.fetch()
    const reply = (await response.json()) as { data: Record<string, unknown>[] } // a list has data: API-41
    const [first] = reply.data
    await route.fulfill({ response, json: { ...reply, data: [first, { ...first, assessmentId: 'other', name: 'The other<sup>2</sup>' }] } })
  })
  await page.route('**/api/tokens*', async (route) => {
    const response = await route.fetch()
    const reply = (await response.json()) as { tokens: Record<string, unknown>[] } // TOKENS-18
    const pending = { status: 'PENDING', assignedTo: 'both@club.test', instanceStatus: 'ALLOCATED' }
    const held = [ASSESSMENT, 'other'].map((assessmentId, at) => ({
      ...reply.tokens[0],
      ...pending,
      index: at + 2,
      instanceId: `i${at}`,
      assessmentId,
    }))
    await route.fulfill({ response, json: { ...reply, tokens: [...reply.tokens, ...held] } })
  })
  await arriveAs(page, coach, paths.home())
  const offer = page.getByRole('region', { name: t('home:AvailableAssessmentsTitleCoach') })
  await expect(offer.getByRole('article')).toHaveCount(2)
  await expect(offer.getByText('$')).toHaveCount(0)

  await panel(page, t)
    .getByRole('button', { name: t('tokens:TokenAssignOf', { index: 1 }) })
    .click()
  await expect(page.getByRole('dialog', { name: t('tokens:AssignAssessmentToken') })).toBeVisible()
  await expect(emailField(page, t)).toHaveCount(0)
  await dialog(page)
    .getByRole('button', { name: startOf(t('tokens:SelectAssessmentOf', { name: 'The other' })) })
    .click()
  await expect(page.getByRole('dialog', { name: t('tokens:AssignmentDetails') })).toBeVisible()
  await expect(emailField(page, t)).toBeFocused()
  await dialog(page)
    .getByRole('button', { name: t('tokens:AssignChange') })
    .click()
  await expect(page.getByRole('dialog', { name: t('tokens:AssignAssessmentToken') })).toBeVisible()
  await expect(
    dialog(page)
      .getByRole('button', { name: startOf(t('tokens:SelectAssessmentOf', { name: '' })) })
      .first(),
  ).toBeFocused()
  await page.keyboard.press('Escape')

  // a player who has both: rows and the reclaim dialog say which one is meant
  const other = panel(page, t).getByRole('row').filter({ hasText: 'both@club.test' }).filter({ hasText: 'The other' })
  await expect(panel(page, t).getByRole('row').filter({ hasText: 'both@club.test' })).toHaveCount(2)
  await other.getByRole('button', { name: startOf(t('tokens:TokenReclaimOf', { email: 'both@club.test (The other' })) }).click()
  await expect(dialog(page)).toContainText('both@club.test (The other')
  await page.keyboard.press('Escape')

  await offer.getByRole('button', { name: startOf(t('home:BookAssessmentForPlayerOf', { name: 'The other' })) }).click()
  await expect(page.getByRole('dialog', { name: t('tokens:AssignmentDetails') })).toContainText('The other')
})

test('a lost reply does not cost a second token', async ({ page, t, server, front }) => {
  const coach = await newCoach(server.url, { tokens: 2 })
  const email = newAddress()
  await arriveAs(page, coach, paths.home(), { origin: front.url })
  await openAssign(page, t, 1)
  await emailField(page, t).fill(email)
  front.bend(ALLOCATE, replyLost(server.url))
  await assignButton(page, t).click()
  await expect(dialog(page).getByText('Failed to allocate assessment. Please try again.', { exact: true })).toBeVisible()
  await expect(dialog(page).getByText(t('tokens:AddressUnknown'))).toBeVisible()
  // a refusal of the next try says nothing of the first
  front.bend(ALLOCATE, refuseWith(429, 'TOO_MANY_REQUESTS'))
  await emailField(page, t).fill(email)
  await assignButton(page, t).click()
  await expect(dialog(page).getByText(t('errors:TOO_MANY_REQUESTS'))).toBeVisible()
  await expect(dialog(page).getByText(t('tokens:AllocateUnsure'))).toBeVisible()
  front.mend()
  // the count is the server's value again
  await page.keyboard.press('Escape')
  await expectTotals(page, t, [2, 1, 1])
  // also after the dialog was closed meanwhile
  await openAssign(page, t, 2)
  await emailField(page, t).fill(email.toUpperCase())
  await assignButton(page, t).click()
  await expect(toast(page, 'Assessment allocated successfully!')).toBeVisible()
  expect(await tokensAvailable(coach)).toBe(1)
})

test('after a reply of a server error the screen does not say that no reply came', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 1 })
  await arriveAs(page, coach, paths.home())
  await openAssign(page, t, 1)
  await emailField(page, t).fill(newAddress())
  const broken = { status: 500, json: { code: 'INTERNAL', message: 'It broke', requestId: '-' } }
  await page.route('**/allocate', (route) => route.fulfill(broken))
  await assignButton(page, t).click()
  const alert = dialog(page).getByRole('alert')
  await expect(alert).toContainText(t('errors:INTERNAL'))
  await expect(alert).toContainText(t('tokens:AllocateUnsure'))
  await expect(alert).not.toContainText(t('tokens:AddressUnknown'))
})

workerTest('pressing Enter twice while the connection is checked gives one token', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 2 })
  await arriveAs(page, coach, paths.home())
  await openAssign(page, t, 1)
  await emailField(page, t).fill(newAddress())
  await goOffline(page, t)
  const { open: letThrough, opened: pressed } = gate()
  await page.route('**/api/health', async (route) => {
    await pressed
    await route.continue()
  })
  const sent = watchRequests(page, ALLOCATE)
  await page.context().setOffline(false)
  await emailField(page, t).press('Enter')
  await emailField(page, t).press('Enter')
  letThrough()
  await expect(toast(page, 'Assessment allocated successfully!')).toBeVisible()
  await expect(dialog(page)).toBeHidden()
  expect(sent).toHaveLength(1)
  expect(await tokensAvailable(coach)).toBe(1)
})

test('without tokens the only action is to buy some, and the profile decides where it leads', async ({ page, t, server }) => {
  const ready = await newCoach(server.url)
  // the profile arrives last: an earlier tap waits for it
  const { open: letThrough, opened: tapped } = gate()
  await page.route(`**/api/user/${ready.userId}`, async (route) => {
    await tapped
    await route.continue()
  })
  await arriveAs(page, ready, paths.home())
  await expectTotals(page, t, [0, 0, 0])
  await expect(panel(page, t).getByText('No results.')).toBeVisible()
  await expect(panel(page, t).getByText(t('tokens:NoTokensYet'))).toBeVisible()
  await panel(page, t)
    .getByRole('button', { name: t('tokens:BuyMoreAssessmentTokens') })
    .click()
  letThrough()
  await expectScreen(page, t, 'purchaseToken', paths.purchaseToken())
  const incomplete = await newCoach(server.url, { hasDetails: false })
  await arriveAs(page, incomplete, paths.home())
  await panel(page, t)
    .getByRole('button', { name: t('tokens:BuyMoreAssessmentTokens') })
    .click()
  await expectScreen(page, t, 'profileReview', paths.coachConfirmDetails())
})

test('the table has ten rows a page and the page in the URL; a report without a link says so', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 25 })
  await page.route('**/api/tokens*', async (route) => {
    const response = await route.fetch()
    const reply = (await response.json()) as { tokens: Record<string, unknown>[] } // TOKENS-18
    const done = { status: 'COMPLETED', assignedTo: 'done@club.test', instanceId: 'i', instanceStatus: 'COMPLETED' }
    await route.fulfill({ response, json: { ...reply, tokens: reply.tokens.map((one, at) => (at === 24 ? { ...one, ...done } : one)) } })
  })
  await arriveAs(page, coach, paths.home())
  await expect(panel(page, t).getByRole('row')).toHaveCount(11)
  const pages = page.getByRole('navigation', { name: t('tokens:TokenPages') })
  await pages.getByRole('button', { name: t('ui:PageNumber', { number: 3 }) }).click()
  await expectQuery(page, { tokens: '3' })
  await expect(panel(page, t).getByRole('row')).toHaveCount(6)
  // on a phone the next page is shown from its top
  await page.setViewportSize({ width: 390, height: 844 })
  await pages.getByRole('button', { name: t('ui:PageNumber', { number: 2 }) }).click()
  await expect(row(page, t, `${t('tokens:TokenIndex')} 11`)).toBeInViewport()
  await pages.getByRole('button', { name: t('ui:PageNumber', { number: 3 }) }).click()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.reload()
  const report = row(page, t, 'done@club.test').getByRole('link', { name: t('tokens:TokenSeeReport') })
  await expect(report).toHaveAttribute('aria-disabled', 'true')
  await pages.getByRole('button', { name: t('ui:FirstPage') }).click()
  await expectQuery(page, {})
  await expect(panel(page, t).getByRole('rowheader', { name: '10', exact: true })).toBeVisible()
})

test('the first rows and the counts of many tokens do not wait for the rest', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 65 })
  const isWhole = (url: URL) => url.pathname === '/api/tokens' && !url.searchParams.has('limit')
  const { open: release, opened: held } = gate()
  await page.route(isWhole, async (route) => {
    await held
    await route.continue()
  })
  await arriveAs(page, coach, paths.home())
  await expectTotals(page, t, [65, 0, 65])
  const rowOf = (index: number) => panel(page, t).getByRole('rowheader', { name: String(index), exact: true })
  await expect(rowOf(10)).toBeVisible()
  // the players who cannot get one are known only once every row is
  const assignMany = panel(page, t).getByRole('button', { name: t('tokens:AssignMany') })
  await expect(assignMany).toHaveAttribute('aria-disabled', 'true')
  const pages = page.getByRole('navigation', { name: t('tokens:TokenPages') })
  await expect(pages.getByText(t('ui:PageRows', { from: 1, to: 10, total: 65 }))).toBeVisible()
  await pages.getByRole('button', { name: t('ui:LastPage') }).click()
  await expect(panel(page, t).locator('table[aria-busy]')).toBeVisible()
  release()
  await expect(rowOf(65)).toBeVisible()
  await expect(assignMany).not.toHaveAttribute('aria-disabled')
})

workerTest(
  'if the connection breaks while many tokens load, the table says that the rest is missing',
  async ({ page, t, server, front }) => {
    const coach = await newCoach(server.url, { tokens: 65 })
    await arriveAs(page, coach, paths.home(), { origin: front.url })
    await expect(panel(page, t).getByRole('rowheader', { name: '10', exact: true })).toBeVisible()
    await untilWorkerIsThere(page)
    let isFirstHere = false
    front.bend(/^\/api\//, (incoming, reply, pass) => {
      if (isFirstHere) return cut(incoming, reply, pass)
      if (!incoming.url?.startsWith('/api/tokens?')) return pass()
      if (!incoming.url.includes('limit')) return cut(incoming, reply, pass)
      reply.on('close', () => (isFirstHere = true))
      pass()
    })
    await page.evaluate(() => indexedDB.deleteDatabase('touchline'))
    await page.reload()
    await expect(panel(page, t).getByText(t('tokens:TokensRestOutOfReach'))).toBeVisible({ timeout: 30_000 })
    await expect(panel(page, t).getByText(t('tokens:TokensOutOfReach'))).toBeHidden()
    await expectTotals(page, t, [65, 0, 65])
  },
)

test('the counts and the first rows of many tokens stay if the rest cannot be loaded, and it can be retried', async ({
  page,
  t,
  server,
}) => {
  const coach = await newCoach(server.url, { tokens: 65 })
  const isWhole = (url: URL) => url.pathname === '/api/tokens' && !url.searchParams.has('limit')
  await page.route(isWhole, (route) => route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'Broken', requestId: '-' } }))
  await arriveAs(page, coach, paths.home())
  await expect(panel(page, t).getByText(t('tokens:ErrorLoadingTokens'))).toBeVisible()
  await expectTotals(page, t, [65, 0, 65])
  await expect(
    page
      .getByRole('region', { name: t('home:SummaryTitle') })
      .getByRole('definition')
      .last(),
  ).toHaveText('65')
  await expect(panel(page, t).getByRole('rowheader', { name: '10', exact: true })).toBeVisible()
  await page.unroute(isWhole)
  await panel(page, t)
    .getByRole('button', { name: t('home:TryAgain') })
    .click()
  await expect(panel(page, t).getByText(t('tokens:ErrorLoadingTokens'))).toBeHidden()
  await page
    .getByRole('navigation', { name: t('tokens:TokenPages') })
    .getByRole('button', { name: t('ui:LastPage') })
    .click()
  await expect(panel(page, t).getByRole('rowheader', { name: '65', exact: true })).toBeVisible()
})

test('a few tokens are requested once', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 12 })
  const asked = watchRequests(page, /^\/api\/tokens$/)
  await arriveAs(page, coach, paths.home())
  await expect(panel(page, t).getByRole('rowheader', { name: '10', exact: true })).toBeVisible()
  await expect(panel(page, t).getByRole('button', { name: t('tokens:AssignMany') })).not.toHaveAttribute('aria-disabled')
  expect(asked).toHaveLength(1)
})
