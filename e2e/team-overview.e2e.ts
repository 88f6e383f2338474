import { readFile } from 'node:fs/promises'
import { letterLine, resultLine } from '#contract/rules/result-line.ts'
import { paths } from '#app/paths.ts'
import { signInByApi } from './support/api.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { expectQuery, expectScreen } from './support/screens.ts'
import { ALLOCATED, coachOfOne, DEMO_COACH, teamHeading, teamNames, team as panel, teamRows as rows, teamOf } from './support/team-panel.ts'
import { startOf, wordsOf, type Words } from './support/words.ts'

/** The coach’s team: its table, and what is searched and filtered in it. TEAM-1 to TEAM-8, TEAM-13 to TEAM-16 */

test('the table to the letter: its columns, what is missing, the report, ten rows a page', async ({ page, t, server, request }) => {
  const coach = await signInByApi(server.url, DEMO_COACH)
  const team = await teamOf(coach)
  await arriveAs(page, coach, paths.home())
  await expect(rows(page, t)).toHaveCount(10)
  await expect(panel(page, t).getByRole('columnheader')).toHaveText([
    'Player',
    'Email',
    'Status',
    'Assessment Date',
    'Team',
    'Player Type',
    'Position',
    'Result',
    'Report',
  ])
  await expect(panel(page, t).getByText(t('team:TeamOverviewDescription'))).toBeVisible()
  // the team, then the tokens
  const names = [t('team:TeamOverviewTitle'), t('tokens:TokenManagementTitle')]
  const headings = page.getByRole('heading', { level: 2 }).filter({ hasText: new RegExp(`^(${names.join('|')})$`) })
  await expect(headings).toHaveText(names)
  const tokens = page.getByRole('region', { name: t('tokens:TokenTable') })
  await expect(tokens.getByRole('columnheader')).toHaveText([t('tokens:TokenIndex'), 'Status', 'Assigned To', 'Date Sent', 'Actions'])
  await expect(panel(page, t).getByText(t('team:TeamCount', { shown: 20, total: 20, count: 20 }))).toBeVisible()

  // whoever is done has a day and a result, whoever is not has a dash
  const done = team.find(({ status }) => status === 'COMPLETED')
  const open = team.find(({ status }) => status === 'ALLOCATED')
  await panel(page, t)
    .getByRole('searchbox')
    .fill(done?.userEmail ?? '')
  await expect(rows(page, t)).toHaveCount(1)
  const row = panel(page, t).getByRole('row').nth(1)
  await expect(row.getByRole('cell').nth(1)).toHaveText(t('home:StatusCompleted'))
  await expect(row.getByRole('cell').nth(2)).toHaveText(/^\d{1,2}(st|nd|rd|th) \w{3} \d{4}$/)
  await expect(row.getByRole('cell').nth(6)).toHaveText(resultLine(done?.results, t('parts:NoClearStyle')))
  const report = row.getByRole('link', { name: startOf(t('team:ViewReport')) })
  await expect(report).toHaveAttribute('href', paths.coachReport(done?.instanceId ?? ''))
  await panel(page, t)
    .getByRole('searchbox')
    .fill(open?.userEmail ?? '')
  // nor is it said whose an unopened one is, but for the address that the coach typed
  await expect(row.getByRole('rowheader')).toHaveText('-')
  await expect(row.getByRole('cell').first()).toHaveText(open?.userEmail ?? '')
  await expect(row.getByRole('cell').nth(1)).toHaveText(t('home:StatusInvited'))
  await expect(row.getByRole('cell').nth(2)).toHaveText('-')
  await expect(row.getByRole('cell').nth(6)).toHaveText('-')
  const sample = row.getByRole('link', { name: startOf(t('team:SampleReport')) })
  await expect(sample).toHaveAttribute('target', '_blank')
  const file = await request.get((await sample.getAttribute('href')) ?? '')
  expect([file.status(), file.headers()['content-type']]).toEqual([200, 'application/pdf'])
  await panel(page, t).getByRole('searchbox').fill('nobody of that name')
  await expect(panel(page, t).getByRole('cell', { name: 'No results.' })).toBeVisible()
})

test('search, filters, order and page stand in the URL, outlive a reload, and are there on the way back', async ({ page, t, server }) => {
  const coach = await signInByApi(server.url, DEMO_COACH)
  const team = await teamOf(coach)
  await arriveAs(page, coach, paths.home())
  await expect(rows(page, t)).toHaveCount(10)
  await expect(teamHeading(page, t, 'Player')).toHaveAttribute('aria-sort', 'ascending')

  await teamHeading(page, t, 'Email').getByRole('button').click()
  await teamHeading(page, t, 'Email').getByRole('button').click()
  await expect(teamHeading(page, t, 'Email')).toHaveAttribute('aria-sort', 'descending')
  await expect(teamHeading(page, t, 'Player')).not.toHaveAttribute('aria-sort', /./)
  const addresses = team.map(({ userEmail }) => userEmail).sort()
  await expect(panel(page, t).getByRole('row').nth(1).getByRole('cell').first()).toHaveText(addresses.at(-1) ?? '')
  await panel(page, t)
    .getByRole('button', { name: t('ui:NextPage') })
    .click()
  await expect(panel(page, t).getByRole('row').nth(1).getByRole('cell').first()).toHaveText(addresses.at(-11) ?? '')
  await expectQuery(page, { sort: 'email', order: 'desc', page: '2' })
  await page.reload()
  await expect(panel(page, t).getByRole('row').nth(1).getByRole('cell').first()).toHaveText(addresses.at(-11) ?? '')
  await page.getByRole('link', { name: t('shell:MenuAbout') }).click()
  await expectScreen(page, t, 'about', paths.about())
  await page.goBack()
  await expect(panel(page, t).getByRole('row').nth(1).getByRole('cell').first()).toHaveText(addresses.at(-11) ?? '')

  // a filter begins at its first page
  const placed = team.filter(({ userPositionName }) => userPositionName)
  const position = placed[0]?.userPositionName ?? ''
  const same = placed.filter(({ userPositionName }) => userPositionName === position)
  await panel(page, t).getByLabel(t('team:TeamFilterPosition'), { exact: true }).selectOption(position)
  await expect(rows(page, t)).toHaveCount(Math.min(10, same.length))
  await expectQuery(page, { sort: 'email', order: 'desc', position })
  await panel(page, t)
    .getByLabel(t('team:TeamFilterPosition'), { exact: true })
    .selectOption({ label: t('team:TeamFilterAll') })
  await expect(rows(page, t)).toHaveCount(10)

  const done = team.find(({ results }) => results?.Section1.styles?.length === 1)
  const lineOf = ({ results }: (typeof team)[number]) => resultLine(results, t('parts:NoClearStyle'))
  const result = done ? lineOf(done) : ''
  const results = panel(page, t).getByLabel(t('team:TeamFilterResult'), { exact: true })
  await results.selectOption((await results.getByRole('option', { name: startOf(result) }).getAttribute('value')) ?? '')
  const alike = team.filter((one) => lineOf(one) === result)
  await expect(rows(page, t)).toHaveCount(Math.min(10, alike.length))

  // the same players in the other language, whose words for the result are others
  const fr = wordsOf('fr')
  await page.getByRole('button', { name: 'Français' }).click()
  const filter = (of: Words) => panel(page, of).getByLabel(of('team:TeamFilterResult'), { exact: true }).locator('option:checked')
  await expect(filter(fr)).toContainText(done?.results ? letterLine(done.results.section2) : '-')
  await expect(filter(fr)).not.toContainText(done?.results?.Section1.result ?? '')
  await expect(rows(page, fr)).toHaveCount(Math.min(10, alike.length))
  await page.getByRole('button', { name: 'English' }).click()

  // typed without its accents, and in the URL once the typing rests
  await panel(page, t)
    .getByLabel(t('team:TeamFilterResult'), { exact: true })
    .selectOption({ label: t('team:TeamFilterAll') })
  const accented = team.find(({ userName }) => /[^ -~]/.test(userName ?? ''))
  const plain = (accented?.userName ?? '').normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  await panel(page, t).getByRole('searchbox').fill(plain)
  await expect(rows(page, t).filter({ hasText: accented?.userName ?? '' })).not.toHaveCount(0)
  await expectQuery(page, { sort: 'email', order: 'desc', search: plain })
  await page.getByRole('link', { name: t('shell:MenuHome') }).click()
  await expectScreen(page, t, 'home', paths.home())
  await expect(panel(page, t).getByRole('searchbox')).toHaveValue('')
  await expect(rows(page, t)).toHaveCount(10)
})

test('filters by status, style and letters say how many they leave, stand in the URL, and go into the file', async ({
  page,
  t,
  server,
}) => {
  const coach = await signInByApi(server.url, DEMO_COACH)
  const team = await teamOf(coach)
  await arriveAs(page, coach, paths.home())
  await expect(rows(page, t)).toHaveCount(10)
  const filter = (key: string) => panel(page, t).getByLabel(t(`team:${key}`), { exact: true })
  const done = team.filter(({ status }) => status === 'COMPLETED')
  await filter('TeamColumnStatus').selectOption(`${t('home:StatusCompleted')} (${done.length})`)
  await expectQuery(page, { status: 'COMPLETED' })
  await expect(panel(page, t).getByText(t('team:TeamCount', { shown: done.length, total: team.length, count: team.length }))).toBeVisible()

  const introverts = done.filter(({ results }) => results?.section2.axes?.some(({ letter }) => letter === 'I'))
  await filter('TeamFilterLetters').selectOption(`I (${introverts.length})`)
  await expect(rows(page, t)).toHaveCount(introverts.length)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: t('team:TeamSaveFile') }).click()
  const file = await readFile(await (await download).path(), 'utf8')
  const [heading = '', ...lines] = file.trimEnd().split('\r\n')
  expect(heading).toContain(t('team:TeamResultInFile', { result: t('team:TeamColumnResult') }))
  // each with what is clear in the result, as in its cell
  expect(lines).toHaveLength(introverts.length)
  for (const { userEmail, results } of introverts) {
    const line = resultLine(results, t('parts:NoClearStyle'))
    expect(lines.find((one) => one.includes(userEmail))).toContain(line)
    await expect(panel(page, t).getByRole('row').filter({ hasText: userEmail })).toContainText(line)
  }

  const clear = introverts.filter(({ results }) => results?.Section1.styles?.length === 1)
  const style = clear[0]?.results?.Section1
  const alike = clear.filter(({ results }) => results?.Section1.value === style?.value)
  // with the other filters as they are
  await filter('TeamFilterStyle').selectOption(`${style?.result} (${alike.length})`)
  await expect(rows(page, t)).toHaveCount(alike.length)
  await expectQuery(page, { status: 'COMPLETED', letters: 'I', style: style?.value ?? '' })
  await page.reload()
  await expect(rows(page, t)).toHaveCount(alike.length)
  await panel(page, t)
    .getByRole('button', { name: t('team:TeamShowAll') })
    .click()
  await expect(rows(page, t)).toHaveCount(10)
  await expectQuery(page, {})

  // a search knows what else a row says
  await panel(page, t).getByRole('searchbox').fill(t('home:StatusInProgress').toLowerCase())
  const begun = team.filter(({ status }) => status === 'IN_PROGRESS')
  await expect(rows(page, t)).toHaveCount(begun.length)
  const [first] = begun
  const row = panel(page, t)
    .getByRole('row')
    .filter({ hasText: first?.userEmail ?? '' })
  await expect(row).toContainText(t('home:AnsweredOf', { answered: first?.answeredCount ?? 0, total: first?.itemCount ?? 0 }))
})

test('nothing stored and nobody there: marked examples, to be read alone', async ({ page, t, server }) => {
  const coach = await coachOfOne(server.url)
  await page.route(ALLOCATED, (route) => route.abort())
  await arriveAs(page, coach, paths.home())
  await expect(panel(page, t).getByText('Showing demo data. API connection unavailable.')).toBeVisible({ timeout: 30_000 })
  expect(await teamNames(page, t)).toEqual([t('team:TeamExample'), t('team:TeamExample'), t('team:TeamExample')])
  await expect(panel(page, t).getByRole('table').getByRole('textbox')).toHaveCount(0)
  await expect(panel(page, t).getByRole('table').getByRole('combobox')).toHaveCount(0)
  await expect(page.getByRole('button', { name: t('team:TeamSaveFile') })).toBeDisabled()
  // an answer that says no is no missing connection
  await page.unroute(ALLOCATED)
  await page.route(ALLOCATED, (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', body: '{"code":"INTERNAL","message":"-","requestId":"-"}' }),
  )
  await page.reload()
  await expect(panel(page, t).getByText(t('home:ErrorLoadingAssessments'))).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText(t('team:ShowingDemoData'))).toHaveCount(0)
  await page.unroute(ALLOCATED)
  await panel(page, t)
    .getByRole('button', { name: t('home:TryAgain') })
    .click()
  await expect(rows(page, t)).toHaveText(/Maya Lindqvist/)
})
