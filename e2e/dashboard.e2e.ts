import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { settings } from '#contract/settings.ts'
import { Api, newAddress, newPlayer, signInByApi, DEMO_PLAYER_DONE } from './support/api.ts'
import { arriveAs, expect, gate, test } from './support/journey.ts'
import { startOf, wordsOf, type Words } from './support/words.ts'
import { expectScreen } from './support/screens.ts'
import { speak } from './support/look.ts'

/** The player's dashboard, word for word. HOME-1 to HOME-12, WORDS-4, BUY-10 */

const ASSESSMENTS = /\/api\/assessment\?/
const INSTANCES = /\/api\/assessment\/assessment-instance\?/

/** A row as the API sends it, to be changed before it arrives. */
type Row = Record<string, unknown>

async function bend(page: Page, path: RegExp, change: (rows: Row[]) => Row[]): Promise<void> {
  await page.route(path, async (route) => {
    const response = await route.fetch()
    const reply = (await response.json()) as { data: Row[]; total?: number } // a list has data: API-41
    await route.fulfill({ response, json: { ...reply, data: change(reply.data) } })
  })
}

const panel = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const figure = (page: Page, t: Words, key: string) =>
  page
    .getByRole('region', { name: t('home:SummaryTitle') })
    .locator('dl > div')
    .filter({ hasText: t(`player:${key}`) })
    .getByRole('definition')

/** The primary button: the next thing to do. */
async function primaries(page: Page): Promise<string[]> {
  return page.getByRole('main').evaluate((main) => {
    const action = getComputedStyle(document.documentElement).getPropertyValue('--action')
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = action
    const { color } = getComputedStyle(probe)
    probe.remove()
    const all = [...main.querySelectorAll('a, button')]
    return all.filter((one) => getComputedStyle(one).backgroundColor === color).map((one) => one.textContent ?? '')
  })
}

test('the card of an assessment on offer has its texts and links', async ({ page, t, server, request }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.home())
  await expect(page.getByRole('heading', { level: 1, name: t('home:HomeHeading', { name: 'Maya' }) })).toBeVisible()
  const offer = panel(page, t('home:AvailableAssessmentsTitle'))
  await expect(offer.getByRole('heading', { level: 3 })).toHaveText('Touchline Profile1')
  await expect(offer.getByRole('superscript')).toHaveText('1')
  await expect(offer.getByText('How you like to play, how you like to learn')).toBeVisible()
  await expect(offer.getByText(/There are no right answers/)).toBeVisible()
  await expect(offer.getByText(t('home:EstimatedMinutes', { count: 15 }))).toBeVisible()
  await expect(offer.getByText('$39.00 USD').first()).toBeVisible()
  await expect(offer.getByRole('deletion')).toHaveText('$49.00 USD')
  // the button that spends money says so
  const start = t('home:StartAssessmentFor', { price: '$39.00 USD' })
  await expect(offer.getByRole('button', { name: `${start}: Touchline Profile¹`, exact: true })).toHaveText(start)

  const links = (await new Api(server.url).ask(settings.get, {})).links
  for (const language of ['en', 'fr'] as const) {
    const words = wordsOf(language)
    await speak(page, language)
    const there = panel(page, words('home:AvailableAssessmentsTitle'))
    const sample = there.getByRole('link', { name: new RegExp(`^${words('home:SampleReport')}`) })
    await expect(sample).toHaveAttribute('target', '_blank')
    const address = (await sample.getAttribute('href')) ?? ''
    expect(address).toMatch(/^\/media\/sample\/[\w.-]+\.pdf$/i)
    const file = await request.get(address)
    expect([file.status(), file.headers()['content-type']]).toEqual([200, 'application/pdf'])
    const more = there.getByRole('link', { name: new RegExp(`^${words('home:LearnMore')}`) })
    await expect(more).toHaveAttribute('href', links.learnMore)
    await expect(more).toHaveAttribute('target', '_blank')
  }
})

test('the app uses the replies that the page requested before it loaded: nothing is requested twice', async ({ page, t, server }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const [, path] = /\/api\/(user\/[\w-]+|assessment\/assessment-instance|assessment|settings)(?:\?|$)/.exec(request.url()) ?? []
    if (path) asked.push(path.replace(/^user.*/, 'user'))
  })
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.home())
  asked.length = 0
  await page.reload()
  await expect(panel(page, t('home:AvailableAssessmentsTitle')).getByText('$39.00 USD', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: t('shell:DemoMailbox') })).toBeVisible()
  expect(asked.toSorted()).toEqual(['assessment', 'assessment/assessment-instance', 'settings', 'user'])
})

test('a panel shows a skeleton while loading, and after a failure an error and a retry', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  const { open: fail, opened: failed } = gate()
  const refuse = (path: RegExp) =>
    page.route(path, async (route) => {
      await failed
      await route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'It broke', requestId: '-' } })
    })
  await refuse(ASSESSMENTS)
  await refuse(INSTANCES)
  await arriveAs(page, player, paths.home())
  await expect(page.getByRole('status').getByText(t('ui:Loading'))).toBeAttached()
  await expect(page.getByRole('heading', { level: 1, name: t('home:HomeHeading', { name: 'Maya' }) })).toBeVisible()
  fail()
  await expect(page.getByRole('alert').filter({ hasText: t('home:ErrorLoadingAssessments') })).toHaveCount(2)
  await page.unroute(INSTANCES)
  await panel(page, t('player:InProgressAssessmentsTitle'))
    .getByRole('button', { name: t('home:TryAgain') })
    .click()
  await expect(page.getByRole('link', { name: startOf(t('player:GoToAssessmentOf', { name: '' })) })).toBeVisible()
  await page.unroute(ASSESSMENTS)
  await panel(page, t('home:AvailableAssessmentsTitle'))
    .getByRole('button', { name: t('home:TryAgain') })
    .click()
  await expect(panel(page, t('home:AvailableAssessmentsTitle')).getByText(t('home:BuyAnother'))).toBeVisible()
})

test('each empty panel says so, and the panel of open assessments is hidden', async ({ page, t, server }) => {
  const player = await signInByApi(server.url, newAddress())
  await bend(page, ASSESSMENTS, () => [])
  await arriveAs(page, player, paths.home())
  await expect(page.getByRole('heading', { level: 1, name: t('home:HomeHeadingNoName'), exact: true })).toBeVisible()
  await expect(panel(page, t('home:AvailableAssessmentsTitle')).getByText(t('home:NoAssessmentsAvailable'))).toBeVisible()
  await expect(panel(page, t('player:PastAssessmentsTitle')).getByText(t('player:NoCompletedAssessments'))).toBeVisible()
  await expect(page.getByRole('heading', { name: t('player:InProgressAssessmentsTitle') })).toBeHidden()
  // what to do, instead of figures that are all zero
  const summary = page.getByRole('region', { name: t('home:SummaryTitle') })
  await expect(summary).toHaveText(`${t('player:FirstBuy')} ${t('player:FirstBuyAddress', { email: player.email })}`)
})

test('a new player is told what to do first; figures appear once there is something to count', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  const summary = page.getByRole('region', { name: t('home:SummaryTitle') })
  await arriveAs(page, player, paths.home())
  await expect(summary).toHaveText(t('player:FirstBegin', { action: t('player:GoToAssessment') }))

  const given = { status: 'ALLOCATED', coachFirstName: 'Alex', coachLastName: 'Moreau' }
  await bend(page, INSTANCES, ([row]) => [{ ...row, ...given }])
  await page.reload()
  await expect(summary).toHaveText(t('player:FirstInvited', { name: 'Alex Moreau', action: t('player:GoToAssessment') }))

  await bend(page, INSTANCES, ([row]) => [{ ...row, ...given, status: 'IN_PROGRESS', answeredCount: 4 }])
  await page.reload()
  await expect(figure(page, t, 'SummaryOpen')).toHaveText('1')
  await expect(figure(page, t, 'SummaryDone')).toHaveText('0')
  await expect(summary.getByText(t('player:SummaryWaiting'))).toBeHidden()
})

test('an assessment the player has is offered in one line with its price, and buying it again warns', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.home())
  const offer = panel(page, t('home:AvailableAssessmentsTitle'))
  const start = offer.getByRole('button', { name: startOf(t('home:StartAssessment')) })
  const line = offer.getByText(t('home:BuyAnother'))
  await expect(line).toBeVisible()
  await expect(offer.getByText('$39.00 USD', { exact: true }).first()).toBeVisible()
  await expect(start).toBeHidden()
  await line.click()
  await expect(offer.getByText(/There are no right answers/)).toBeVisible()
  await expect(start).toHaveAccessibleDescription(t('home:StartBuysAnother'))

  await arriveAs(page, await signInByApi(server.url, DEMO_PLAYER_DONE), paths.home())
  await expect(start).toBeHidden()
  await offer.getByText(t('home:TakeAgain')).click()
  await expect(start).toBeVisible()
  await expect(offer.getByText(t('home:StartBuysAnother'))).toBeHidden()
})

test('an open assessment shows its badge, who gave it, and one next step', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  await bend(page, INSTANCES, ([row]) => [
    { ...row, instanceId: 'owned' },
    { ...row, instanceId: 'given', status: 'ALLOCATED', coachFirstName: 'Alex', coachLastName: 'Moreau' },
    { ...row, instanceId: 'begun', status: 'IN_PROGRESS', answeredCount: 20 },
    { ...row, instanceId: 'back', status: 'RECLAIMED' },
  ])
  await arriveAs(page, player, paths.home())
  const cards = panel(page, t('player:InProgressAssessmentsTitle')).getByRole('article')
  await expect(cards).toHaveCount(3)
  await expect(cards.nth(0).getByText(t('home:StatusInProgress'))).toBeVisible()
  await expect(cards.nth(0).getByText(t('home:AnsweredOf', { answered: 20, total: 112 }))).toBeVisible()
  await expect(cards.filter({ hasText: t('home:StatusNotStarted') })).toHaveCount(1)
  const given = cards.filter({ hasText: t('home:StatusAllocated') })
  await expect(given.getByText(t('player:GivenByCoach', { name: 'Alex Moreau' }))).toBeVisible()
  await expect(given.getByRole('link')).toHaveText(t('player:GoToAssessment'))
  await expect(given.getByRole('link')).toHaveAttribute('href', paths.brief('given'))
  const open = given.getByRole('link', { name: startOf(t('player:GoToAssessmentOf', { name: '' })) })
  await expect(open).toHaveAccessibleDescription(t('player:GivenByCoach', { name: 'Alex Moreau' }))
  await expect(figure(page, t, 'SummaryOpen')).toHaveText('3')
  expect(await primaries(page)).toEqual([t('player:GoToAssessment')])
})

test('a past assessment shows its date, results, sharing, and only working videos', async ({ page, t, server }) => {
  const done = await signInByApi(server.url, DEMO_PLAYER_DONE)
  await page.route('**/broken.jpg', (route) => route.abort())
  await bend(page, INSTANCES, (rows) =>
    rows.map((row) => ({
      ...row,
      completedDate: '2026-01-01T12:00:00.000Z',
      allocatedAt: '2025-12-01T12:00:00.000Z',
      coachFirstName: 'Alex',
      coachLastName: null,
      videoUrls: [
        'https://videos.test/one',
        { url: 'https://videos.test/two', thumbnail: `${server.url}/broken.jpg`, title: 'Your learning style' },
        { thumbnail: 'https://videos.test/no-address.jpg' },
        'javascript:alert(1)',
        null,
        7,
      ],
    })),
  )
  await arriveAs(page, done, paths.home())
  const card = panel(page, t('player:PastAssessmentsTitle')).getByRole('article')
  await expect(card.getByText(t('player:CompletedOn', { date: '1st Jan 2026' }))).toBeVisible()
  await expect(card.getByText(t('player:GivenByCoach', { name: 'Alex' }))).toBeVisible()
  await expect(figure(page, t, 'SummaryDone')).toHaveText('1')
  expect(await primaries(page)).toEqual([t('player:ViewResults')])
  const toldApart = [t('player:CompletedOn', { date: '1st Jan 2026' }), t('player:GivenByCoach', { name: 'Alex' })].join(' ')
  await expect(card.getByRole('link', { name: startOf(t('player:ViewResultsOf', { name: '' })) })).toHaveAccessibleDescription(toldApart)

  const videos = card.getByRole('list').getByRole('link')
  await expect(videos).toHaveCount(2)
  await expect(videos.nth(0)).toHaveAttribute('href', 'https://videos.test/one')
  await expect(videos.nth(0)).toContainText(t('player:VideoNumber', { number: 1 }))
  await expect(videos.nth(1)).toContainText('Your learning style')
  await expect(videos.nth(1)).toHaveAttribute('target', '_blank')
  await videos.nth(1).scrollIntoViewIfNeeded()
  await expect(card.locator('img')).toHaveCount(0)

  // no action: HOME-10
  const share = card.getByRole('link', { name: t('player:ShareWithCoach') })
  await expect(share).toHaveAttribute('aria-disabled', 'true')
  await expect(share).toHaveAccessibleDescription(`${t('player:CoachReads', { name: 'Alex' })} ${t('player:CoachReadsLink')}`)
  await share.click({ force: true })
  await expectScreen(page, t, 'home', paths.home())
  await page.getByRole('button', { name: 'Français' }).click()
  const french = wordsOf('fr')
  await expect(page.getByText(french('player:CompletedOn', { date: '1er janv. 2026' }))).toBeVisible()
  await page.getByRole('link', { name: startOf(french('player:ViewResultsOf', { name: '' })) }).click()
  await expectScreen(page, french, 'results', /\/assessment\/[^/]+\/results$/)
})

test('results without an instance cannot be opened', async ({ page, t, server }) => {
  const done = await signInByApi(server.url, DEMO_PLAYER_DONE)
  await bend(page, INSTANCES, (rows) => rows.map((row) => ({ ...row, instanceId: '' })))
  await arriveAs(page, done, paths.home())
  await expect(page.getByRole('button', { name: startOf(t('player:ViewResultsOf', { name: '' })) })).toBeDisabled()
})

test('the dashboard of a player without assessments begins with those on offer', async ({ page, t, server }) => {
  await arriveAs(page, await signInByApi(server.url, newAddress()), paths.home())
  await expect(page.getByRole('button', { name: startOf(t('home:StartAssessment')) })).toBeVisible()
  expect(await primaries(page)).toEqual([t('home:StartAssessmentFor', { price: '$39.00 USD' })])
})

test('the figures are in one row on a wide screen', async ({ page, t, server }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await arriveAs(page, await signInByApi(server.url, DEMO_PLAYER_DONE), paths.home())
  const figures = page.getByRole('region', { name: t('home:SummaryTitle') }).getByRole('definition')
  await expect(figures).toHaveCount(2)
  const tops = await figures.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
  expect(new Set(tops).size).toBe(1)
})

test('content that arrives later moves nothing on screen', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  await page.addInitScript(() => {
    const moved: string[] = []
    Object.assign(globalThis, { moved })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { sources } = entry as unknown as { sources: { node: Node | null }[] } // layout-shift's own
        for (const { node } of sources) moved.push(node instanceof Element ? node.outerHTML.slice(0, 80) : (node?.textContent ?? ''))
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  // one reply after the other, the settings last
  let queue = Promise.resolve()
  let last = gate()
  await page.route('**/api/settings', async (route) => {
    await last.opened
    await route.continue()
  })
  await page.route(/\/api\/(assessment|user)/, async (route) => {
    const before = queue
    const response = route.fetch()
    queue = before.then(() => response).then(() => undefined)
    await before
    await route.fulfill({ response: await response })
  })
  const moved = () => page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved)
  const ends = async (ready: string) => {
    await expect(page.getByText(ready).first()).toBeVisible()
    last.open()
    await expect(page.getByText(t('shell:DemoRibbon'))).toBeVisible()
    expect(await moved()).toEqual([])
    last = gate()
  }
  for (const size of [
    { width: 360, height: 740 },
    { width: 820, height: 1180 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(size)
    await arriveAs(page, player, paths.home())
    await ends(t('player:GoToAssessment'))
    await page.goto(paths.about())
    await ends(t('about:AboutTestTitle'))
    await page.evaluate(() => localStorage.clear())
    await page.goto(paths.onboard())
    await ends(t('auth:OnboardBack'))
    await page.goto(paths.login())
    await ends(t('auth:SendCode'))
  }
})
