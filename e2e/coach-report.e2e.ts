import { paths } from '#app/paths.ts'
import { leaningOf, type Leaning } from '#sandbox/demo-accounts/leaning.ts'
import { instancesForCoach, type CoachReport } from '#contract/instances.coach.ts'
import { completeAs, newAddress, newPlayer, signInByApi, type Person } from './support/api.ts'
import { newCoach } from './support/coach.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { overlapsOf, textOfPages, withoutSpace } from './support/paper.ts'
import { expectScreen } from './support/screens.ts'
import { team, teamRows } from './support/team-panel.ts'
import { expectReport, mixed, REPORT } from './support/coach-report.ts'
import { begin, give } from './support/tokens-panel.ts'
import { startOf, wordsOf } from './support/words.ts'

/** The coach’s page of a player, as the coach and the player read it. TEAM-8, TEAM-21 to TEAM-23 */

/** A style and all four letters, so that there is most to print. */
const ALL_STANDS: Leaning = {
  firstCounts: { EI: 10, SN: 2, TF: 9, JP: 1 },
  modes: { experience: 1, watch: 0, idea: 0, do: 1 },
  seed: 3,
}

test('the coach opens it from the row, reads what follows from what is clear, prints it, and goes back', async ({ page, t, server }) => {
  const { coach, read, instanceId, email, name } = await mixed(server.url)
  const report = await read()
  await arriveAs(page, coach, paths.home())
  await team(page, t).getByRole('searchbox').fill(email)
  await team(page, t)
    .getByRole('link', { name: `${t('team:ViewReport')} ${name}` })
    .click()
  await expectScreen(page, t, 'coachReport', paths.coachReport(instanceId))
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeFocused()
  await expect(page.getByText(t('team:TeamLimits'))).toBeVisible()
  await expect(page.getByRole('link', { name: t('team:TeamLimitsLink') })).toHaveAttribute('href', paths.limits())
  await expect(page.getByText(t('team:CoachReportForCoach'))).toBeVisible()
  await expectReport(page, t, report)
  await expect(page.getByText(t('team:CoachReportAdviceApart'))).toBeVisible()

  await page.evaluate(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '')
  })
  await page.getByRole('button', { name: t('team:TeamPrint') }).click()
  await expect(page.locator('[data-printed]')).toHaveCount(1)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('link', { name: t('shell:ReturnToDashboard') })).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('color', 'rgb(20, 33, 26)')
  // a printed page is an object of the file
  const pages = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g)
  expect(pages?.length).toBeLessThanOrEqual(2)
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
  await page.getByRole('link', { name: t('shell:ReturnToDashboard') }).click()
  await expectScreen(page, t, 'home', /\/(\?.*)?$/)
  // typed right before the link was followed
  await expect(team(page, t).getByRole('searchbox')).toHaveValue(email)
  await expect(teamRows(page, t)).toHaveCount(1)
})

test('the player opens it from the results and reads the very same lines, also in French', async ({ page, t, server }) => {
  const { read, instanceId, email } = await mixed(server.url)
  const [english, french] = [await read(), await read('fr')]
  await arriveAs(page, await signInByApi(server.url, email), paths.results(instanceId))
  await page.getByRole('link', { name: t('results:ResultsCoachReport') }).click()
  await expectScreen(page, t, 'coachReport', paths.coachReport(instanceId))
  await expect(page.getByText(t('team:CoachReportForPlayer'))).toBeVisible()
  await expectReport(page, t, english)
  await page.getByRole('button', { name: 'Français' }).click()
  const fr = wordsOf('fr')
  await expect(page.getByText(fr('team:CoachReportForPlayer'))).toBeVisible()
  await expectReport(page, fr, french)
  await page.getByRole('link', { name: fr('team:CoachReportBackToResults') }).click()
  await expectScreen(page, fr, 'results', paths.results(instanceId))
})

test('a situation that this portal does not know is left out', async ({ page, t, server }) => {
  const { coach, read, instanceId } = await mixed(server.url)
  const report = await read()
  const { advice } = report
  const situations = [{ situation: 'halfTime', lines: [{ source: 'E', text: 'Unheard of' }] }, ...advice.situations]
  await page.route(REPORT, (route) => route.fulfill({ json: { ...report, advice: { ...advice, situations } } }))
  await arriveAs(page, coach, paths.coachReport(instanceId))
  await expectReport(page, t, report)
  await expect(page.getByText('Unheard of')).toHaveCount(0)
})

test('a player whose coach has no name yet is led to the page, too', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 1, hasDetails: false })
  const player = await newPlayer(server.url, { hasBought: false })
  const instanceId = await give(coach, player.email)
  await completeAs(player, instanceId, leaningOf(0))
  await arriveAs(page, player, paths.results(instanceId))
  await page.getByRole('link', { name: t('results:ResultsCoachReport') }).click()
  await expectScreen(page, t, 'coachReport', paths.coachReport(instanceId))
})

test('on paper every sheet has the player’s name, and situations without a line are named once', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 1 })
  const player = await newPlayer(server.url, { hasBought: false })
  const instanceId = await give(coach, player.email)
  await completeAs(player, instanceId, ALL_STANDS)
  await arriveAs(page, coach, paths.coachReport(instanceId))
  // the page has come: its five situations
  await expect(page.getByRole('heading', { level: 3 })).toHaveCount(5)
  const sheets = await textOfPages(await page.pdf({ format: 'A4' }))
  expect(sheets.length).toBeGreaterThan(1)
  for (const sheet of sheets) expect(sheet).toContain(withoutSpace(`${await page.getByRole('heading', { level: 1 }).innerText()} ·`))

  const report = await coach.api.ask(instancesForCoach.coachReport, { params: { instanceId } })
  const situations = report.advice.situations.map((one, at) => (at < 2 ? { ...one, lines: [] } : one))
  await page.route(REPORT, (route) => route.fulfill({ json: { ...report, advice: { ...report.advice, situations } } }))
  await page.reload()
  const both = [t('team:CoachReportFeedback'), t('team:CoachReportExercise')].join(' · ')
  await expect(page.getByText(t('team:CoachReportNoLine', { situations: both }))).toBeVisible()
  await expect(page.getByRole('heading', { level: 3 })).toHaveCount(3)
})

test('on paper a name that is read from right to left leaves the date beside it in its order', async ({ page, server }) => {
  const { coach, read, instanceId } = await mixed(server.url)
  const named = { userName: 'נועה', userLastname: 'כהן', completedDate: '2026-01-26T12:00:00.000Z' }
  const report = { ...(await read()), ...named }
  await page.route(REPORT, (route) => route.fulfill({ json: report }))
  await arriveAs(page, coach, paths.coachReport(instanceId))
  await expect(page.getByRole('heading', { level: 1, name: 'נועה כהן' })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  const places = await page.getByText('נועה כהן · 26th Jan 2026').evaluate((line) => {
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT)
    const nodes: Text[] = []
    while (walker.nextNode()) nodes.push(walker.currentNode as Text) // it shows texts alone
    return ['נועה', '26', 'Jan', '2026'].map((words) => {
      const node = nodes.findLast(({ data }) => data.includes(words))
      if (!node) return NaN
      const range = document.createRange()
      const at = node.data.indexOf(words)
      range.setStart(node, at)
      range.setEnd(node, at + words.length)
      return Math.round(range.getBoundingClientRect().left)
    })
  })
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test('a page of which everything is clear fills two sheets, in French too, and nothing is drawn over anything', async ({
  page,
  server,
}) => {
  const coach = await newCoach(server.url, { tokens: 1 })
  const player = await newPlayer(server.url, { hasBought: false })
  const instanceId = await give(coach, player.email)
  await completeAs(player, instanceId, ALL_STANDS)
  await page.setViewportSize({ width: 820, height: 1180 })
  const t = wordsOf('fr')
  await arriveAs(page, coach, paths.coachReport(instanceId), { language: 'fr' })
  await expect(page.getByRole('heading', { level: 3 })).toHaveCount(5)
  const margin = { top: '10mm', bottom: '10mm', left: '10mm', right: '10mm' }
  const paper = await page.pdf({ format: 'A4', margin })
  const sheets = await textOfPages(paper)
  expect(sheets).toHaveLength(2)
  // the situations begin on the first, below what is clear
  for (const key of ['Feedback', 'Exercise']) expect(sheets[0]).toContain(withoutSpace(t(`team:CoachReport${key}`)))
  // every line is there, and none over another
  const { advice } = await coach.api.ask(instancesForCoach.coachReport, { params: { instanceId } }, 'fr')
  const lines = [...advice.situations.flatMap((one) => one.lines.map(({ text }) => text)), ...advice.questions]
  expect(lines.filter((text) => !sheets.join('').includes(withoutSpace(text)))).toEqual([])
  expect(await overlapsOf(paper)).toEqual([])
})

test('where nothing is clear, it says so and has the questions only', async ({ page, t, server }) => {
  const { coach, read, instanceId } = await mixed(server.url)
  const { advice, results, ...report } = await read()
  const nothing: CoachReport = {
    ...report,
    results: {
      Section1: { styles: ['play', 'view', 'plan', 'training'].map((value) => ({ value, result: value })) },
      section2: { axes: results.section2.axes.map((axis) => ({ ...axis, letter: null })) },
    },
    advice: { ...advice, situations: advice.situations.map(({ situation }) => ({ situation, lines: [] })) },
  }
  await page.route(REPORT, (route) => route.fulfill({ json: nothing }))
  await arriveAs(page, coach, paths.coachReport(instanceId))
  await expect(page.getByText(t('team:CoachReportNothingClear'))).toBeVisible()
  await expect(page.getByText(t('team:CoachReportNoStyle'))).toBeVisible()
  await expect(page.getByText(t('team:CoachReportBetween'))).toHaveCount(4)
  await expect(page.getByRole('heading', { level: 3 })).toHaveCount(0)
  await expect(page.getByRole('listitem')).toHaveText(advice.questions)
})

test('why there is no page: not completed, taken back, unknown, another’s, or trouble that a retry ends', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 2 })
  const player = await newPlayer(server.url, { hasBought: false })
  const [open, taken] = [await give(coach, player.email), await give(coach, newAddress())]
  await begin(player, open)
  await coach.api.ask(instancesForCoach.reclaim, { params: { instanceId: taken }, query: {} })
  const { instanceId: others } = await mixed(server.url)
  const says = async (person: Person, instanceId: string, key: string) => {
    await arriveAs(page, person, paths.coachReport(instanceId))
    await expect(page.getByRole('alert')).toHaveText(t(`team:${key}`))
  }
  await says(coach, open, 'CoachReportNotComplete')
  await says(player, open, 'CoachReportNotComplete')
  await says(coach, taken, 'CoachReportReclaimed')
  await says(coach, crypto.randomUUID(), 'CoachReportNotFound')
  await says(coach, others, 'CoachReportNotFound')
  await expect(page.getByRole('link', { name: t('shell:ReturnToDashboard') })).toBeVisible()

  const { coach: own } = await mixed(server.url)
  await page.route(REPORT, (route) => route.fulfill({ status: 400, json: {} }))
  await says(own, others, 'CoachReportFailed')
  await page.unroute(REPORT)
  await page.getByRole('button', { name: t('parts:TryAgain') }).click()
  await expect(page.getByRole('heading', { name: t('team:CoachReportQuestionsTitle') })).toBeVisible()
})

test('what a player bought has no such page', async ({ page, t, server }) => {
  const player = await signInByApi(server.url, 'player.done@demo.test')
  await arriveAs(page, player, paths.home())
  await page.getByRole('link', { name: startOf(t('player:ViewResultsOf', { name: '' })) }).click()
  await expect(page.getByRole('heading', { name: t('results:ResultsLimitsTitle') })).toBeVisible()
  await expect(page.getByRole('link', { name: t('results:ResultsCoachReport') })).toHaveCount(0)
})
