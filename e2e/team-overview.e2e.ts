import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { assessments } from '#contract/assessments.ts'
import { coach as calls, type AllocatedInstance } from '#contract/coach.ts'
import { instances } from '#contract/instances.ts'
import { newPlayer, signInByApi, type Person } from './support/api.ts'
import { newCoach } from './support/coach.ts'
import { arriveAs, expect, goOffline, goOnline, test, untilWorkerIsThere } from './support/journey.ts'
import { speak } from './support/look.ts'
import { team as panel, teamRows as rows } from './support/team-panel.ts'
import { startOf, wordsOf, type Words } from './support/words.ts'
import { expectQuery, expectScreen } from './support/screens.ts'

/** The coach's team. TEAM-1 to TEAM-16, OFFLINE-4 */

const DEMO = 'coach@demo.test'
const ALLOCATED = /\/api\/assessment\/coach\/allocated/
const UPDATE = /\/api\/assessment\/assessment-instance\/[^/]+$/

const names = async (page: Page, t: Words) => (await rows(page, t).allInnerTexts()).map((text) => text.split('\n').at(-1) ?? '')
const cell = (page: Page, t: Words, column: string) =>
  panel(page, t).getByLabel(startOf(t('team:TeamCellOf', { column: t(`team:TeamColumn${column}`), name: '' })))
const heading = (page: Page, t: Words, column: string) =>
  panel(page, t).getByRole('columnheader', { name: t(`team:TeamColumn${column}`), exact: true })

async function teamOf(person: Person): Promise<AllocatedInstance[]> {
  return (await person.api.ask(calls.instances.allocated, { query: {} })).assessments
}

/** A coach who gave one player an assessment, and the player has opened the brief: the row says who it is. */
async function coachOfOne(url: string): Promise<Person> {
  const [coach, player] = [await newCoach(url, { tokens: 1 }), await newPlayer(url, { hasBought: false })]
  const [assessment] = (await coach.api.ask(assessments.list, { query: { page: 1, limit: 10 } })).data
  const body = { playerEmail: player.email, assessmentId: assessment?.assessmentId ?? '' }
  const { instanceId } = await coach.api.ask(calls.instances.allocate, { body })
  await player.api.ask(instances.briefOpened, { params: { instanceId } })
  return coach
}

test('the table to the letter: its columns, what is missing, the report, ten rows a page', async ({ page, t, server, request }) => {
  const coach = await signInByApi(server.url, DEMO)
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
  await expect(row.getByRole('cell').nth(6)).toHaveText(`${done?.results?.Section1.result} ${done?.results?.section2.label}`)
  const report = row.getByRole('link', { name: startOf(t('team:ViewReport')) })
  await expect(report).toHaveAttribute('target', '_blank')
  const file = await request.get((await report.getAttribute('href')) ?? '')
  expect([file.status(), file.headers()['content-type']]).toEqual([200, 'application/pdf'])
  await panel(page, t)
    .getByRole('searchbox')
    .fill(open?.userEmail ?? '')
  // nor is it said whose an unopened one is, but for the address that the coach typed
  await expect(row.getByRole('rowheader')).toHaveText('-')
  await expect(row.getByRole('cell').first()).toHaveText(open?.userEmail ?? '')
  await expect(row.getByRole('cell').nth(1)).toHaveText(t('home:StatusInvited'))
  await expect(row.getByRole('cell').nth(2)).toHaveText('-')
  await expect(row.getByRole('cell').nth(6)).toHaveText('-')
  await panel(page, t).getByRole('searchbox').fill('nobody of that name')
  await expect(panel(page, t).getByRole('cell', { name: 'No results.' })).toBeVisible()
})

test('search, filters, order and page stand in the URL, outlive a reload, and are there on the way back', async ({ page, t, server }) => {
  const coach = await signInByApi(server.url, DEMO)
  const team = await teamOf(coach)
  await arriveAs(page, coach, paths.home())
  await expect(rows(page, t)).toHaveCount(10)
  await expect(heading(page, t, 'Player')).toHaveAttribute('aria-sort', 'ascending')

  await heading(page, t, 'Email').getByRole('button').click()
  await heading(page, t, 'Email').getByRole('button').click()
  await expect(heading(page, t, 'Email')).toHaveAttribute('aria-sort', 'descending')
  await expect(heading(page, t, 'Player')).not.toHaveAttribute('aria-sort', /./)
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

  const done = team.find(({ results }) => results)
  const result = `${done?.results?.Section1.result} ${done?.results?.section2.label}`
  const results = panel(page, t).getByLabel(t('team:TeamFilterResult'), { exact: true })
  await results.selectOption((await results.getByRole('option', { name: startOf(result) }).getAttribute('value')) ?? '')
  const alike = team.filter(({ results }) => results && `${results.Section1.result} ${results.section2.label}` === result)
  await expect(rows(page, t)).toHaveCount(Math.min(10, alike.length))

  // the same players in the other language, whose words for the result are others
  const fr = wordsOf('fr')
  await page.getByRole('button', { name: 'Français' }).click()
  const filter = (of: Words) => panel(page, of).getByLabel(of('team:TeamFilterResult'), { exact: true }).locator('option:checked')
  await expect(filter(fr)).toContainText(done?.results?.section2.label ?? '')
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
  const coach = await signInByApi(server.url, DEMO)
  const team = await teamOf(coach)
  await arriveAs(page, coach, paths.home())
  await expect(rows(page, t)).toHaveCount(10)
  const filter = (key: string) => panel(page, t).getByLabel(t(`team:${key}`), { exact: true })
  const done = team.filter(({ status }) => status === 'COMPLETED')
  await filter('TeamColumnStatus').selectOption(`${t('home:StatusCompleted')} (${done.length})`)
  await expectQuery(page, { status: 'COMPLETED' })
  await expect(panel(page, t).getByText(t('team:TeamCount', { shown: done.length, total: team.length, count: team.length }))).toBeVisible()

  const introverts = done.filter(({ results }) => results?.section2.value.includes('I'))
  await filter('TeamFilterLetters').selectOption(`I (${introverts.length})`)
  await expect(rows(page, t)).toHaveCount(introverts.length)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: t('team:TeamSaveFile') }).click()
  const file = await readFile(await (await download).path(), 'utf8')
  expect(file.trimEnd().split('\r\n')).toHaveLength(introverts.length + 1)

  const style = introverts[0]?.results?.Section1
  const alike = introverts.filter(({ results }) => results?.Section1.value === style?.value)
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

test('on paper the whole squad is one sheet, with nothing to press', async ({ page, t, server }) => {
  const coach = await signInByApi(server.url, DEMO)
  await page.route(ALLOCATED, async (route) => {
    const response = await route.fetch()
    const { assessments } = (await response.json()) as { assessments: AllocatedInstance[] }
    const more = assessments.slice(0, 2).map((one, at) => ({ ...one, instanceId: `more-${at}`, userEmail: `more${at}@club.test` }))
    await route.fulfill({ response, json: { assessments: [...assessments, ...more] } })
  })
  await arriveAs(page, coach, paths.home())
  await expect(panel(page, t).getByText(t('team:TeamCount', { shown: 22, total: 22, count: 22 }))).toBeVisible()
  // a printed page is an object of the file
  const pages = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g)
  expect(pages).toHaveLength(1)

  await page.evaluate(() => {
    window.print = () => void dispatchEvent(new Event('beforeprint'))
  })
  await page.getByRole('button', { name: t('team:TeamPrint') }).click()
  await page.emulateMedia({ media: 'print' })
  const sheet = page.getByRole('table')
  await expect(sheet.getByRole('row')).toHaveCount(23)
  await expect(sheet.getByRole('columnheader')).toHaveText([
    'Player',
    'Team',
    'Position',
    'Player Type',
    'Status',
    'Assessment Date',
    'Result',
  ])
  await expect(page.getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('searchbox')).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('link')).toHaveCount(0)
})

test('team, position and player type are edited where they stand', async ({ page, t, server }) => {
  const coach = await coachOfOne(server.url)
  await arriveAs(page, coach, paths.home())
  const [team, type, position] = ['Team', 'Type', 'Position'].map((column) => cell(page, t, column)) as [Locator, Locator, Locator]
  const row = async () => (await teamOf(coach))[0]

  await team.fill('U17 girls')
  await team.press('Escape')
  await expect(team).toHaveValue('')
  await team.fill('  U17 girls ')
  await team.press('Enter')
  await expect(team).toHaveValue('U17 girls')
  await expect(team).toBeFocused()
  await expect(page.getByText('Team updated to U17 girls')).toBeVisible()
  expect(await row()).toMatchObject({ userTeam: 'U17 girls' })

  await expect(type.locator('option')).toHaveText(['Current', 'Potential'])
  await expect(type).toHaveValue('POTENTIAL')
  await type.selectOption('Current')
  await expect(page.getByText('Player type updated to Current')).toBeVisible()
  await expect(position.locator('option')).toHaveText([
    '-',
    'Forward',
    'Midfielder',
    'Defender',
    'Goalkeeper',
    'Winger',
    'Striker',
    'Center Back',
    'Full Back',
  ])
  await position.selectOption('Center Back')
  await expect(page.getByText('Position updated to Center Back')).toBeVisible()
  expect(await row()).toMatchObject({ userTeam: 'U17 girls', userPlayerType: 'CURRENT', userPositionName: 'Center Back' })

  // keys go through the choices: the one they rest on is sent
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'PATCH' && sent.push(request.postData() ?? ''))
  await position.focus()
  for (const key of ['ArrowDown', 'ArrowUp', 'ArrowUp']) await page.keyboard.press(key)
  await expect(page.getByText('Position updated to Striker')).toBeVisible()
  expect(sent).toHaveLength(1)
  await position.selectOption('Center Back')
  await expect(page.getByText('Position updated to Center Back')).toBeVisible()

  // leaving a cell saves it; an empty one takes the team back
  await team.fill('')
  await type.focus()
  await expect(page.getByText('Team updated to -')).toBeVisible()
  expect(await row()).toMatchObject({ userTeam: null })
  await page.reload()
  await expect(position).toHaveValue('Center Back')
  await expect(type).toHaveValue('CURRENT')
})

test('what is refused goes back, and says so', async ({ page, t, server }) => {
  const coach = await coachOfOne(server.url)
  await arriveAs(page, coach, paths.home())
  const answer = { status: 500, contentType: 'application/json', body: '{"code":"INTERNAL","message":"-","requestId":"-"}' }
  await page.route(UPDATE, (route) => (route.request().method() === 'PATCH' ? route.fulfill(answer) : route.continue()))
  await cell(page, t, 'Team').fill('U19')
  await cell(page, t, 'Team').press('Enter')
  await expect(page.getByText('Failed to update team.')).toBeVisible()
  await expect(cell(page, t, 'Team')).toHaveValue('')
  await cell(page, t, 'Position').selectOption('Winger')
  await expect(page.getByText('Failed to update position.')).toBeVisible()
  // the player's own, as the profile has it
  await expect(cell(page, t, 'Position')).toHaveValue('Goalkeeper')
  await cell(page, t, 'Type').selectOption('Current')
  await expect(page.getByText('Failed to update player type.')).toBeVisible()
  await expect(cell(page, t, 'Type')).toHaveValue('POTENTIAL')

  // taken back elsewhere meanwhile
  await page.unroute(UPDATE)
  const gone = { status: 404, contentType: 'application/json', body: '{"code":"NOT_FOUND","message":"-","requestId":"-"}' }
  await page.route(UPDATE, (route) => (route.request().method() === 'PATCH' ? route.fulfill(gone) : route.continue()))
  const [instance] = await teamOf(coach)
  await coach.api.ask(calls.instances.reclaim, { params: { instanceId: instance?.instanceId ?? '' }, query: {} })
  await cell(page, t, 'Team').fill('U19')
  await cell(page, t, 'Team').press('Enter')
  await expect(page.getByText('Assessment instance not found.')).toBeVisible()
  // and the list knows it now: nobody is left, and the way to the first player stands there
  await expect(panel(page, t).getByText(t('team:TeamIsEmpty'))).toBeVisible()
  await panel(page, t)
    .getByRole('button', { name: t('team:TeamInviteFirst') })
    .click()
  await expect(page.getByRole('dialog')).toBeVisible()
})

test('what is shown is saved as a file, in the form of the reader’s spreadsheets', async ({ page, t, server }) => {
  const coach = await signInByApi(server.url, DEMO)
  const team = await teamOf(coach)
  await arriveAs(page, coach, paths.home())
  await expect(rows(page, t)).toHaveCount(10)
  const save = async (words: Words) => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: words('team:TeamSaveFile') }).click()
    const file = await download
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }
  const all = await save(t)
  expect(all.name).toMatch(/^touchline-team-\d{4}-\d{2}-\d{2}\.csv$/)
  expect(all.text.startsWith('\uFEFFPlayer,Email,Status,Assessment Date,Team,Player Type,Position,Result\r\n')).toBe(true)
  // every page of it
  expect(all.text.trimEnd().split('\r\n')).toHaveLength(team.length + 1)

  const one = team[0]?.userEmail ?? ''
  await panel(page, t).getByRole('searchbox').fill(one)
  await expect(rows(page, t)).toHaveCount(1)
  await page.getByRole('button', { name: 'Français' }).click()
  const fr = wordsOf('fr')
  await expect(page.getByRole('button', { name: fr('team:TeamSaveFile') })).toBeVisible()
  const filtered = await save(fr)
  expect(filtered.name).toMatch(/^touchline-equipe-.*\.csv$/)
  const lines = filtered.text.trimEnd().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]?.split(';')[1]).toBe(one)
})

test('read without a connection, with its date; edits say why they wait', async ({ page, t, server }) => {
  const coach = await coachOfOne(server.url)
  await arriveAs(page, coach, paths.home())
  await untilWorkerIsThere(page)
  await expect(rows(page, t)).toHaveCount(1)
  await page.reload()
  await expect(rows(page, t)).toHaveCount(1)
  await goOffline(page, t)
  await page.reload()
  await expect(rows(page, t)).toHaveText(/Maya Lindqvist/)
  await expect(panel(page, t).getByText(startOf(t('parts:AsOf')))).toBeVisible()
  await expect(page.getByText(t('team:ShowingDemoData'))).toHaveCount(0)
  await expect(cell(page, t, 'Team')).toBeDisabled()
  await expect(cell(page, t, 'Position')).toBeDisabled()
  await expect(cell(page, t, 'Position')).toHaveAccessibleDescription(t('team:TeamEditNeedsConnection'))
  await goOnline(page, t)
  await expect(cell(page, t, 'Team')).toBeEnabled()
  await expect(panel(page, t).getByText(startOf(t('parts:AsOf')))).toBeHidden()
  await cell(page, t, 'Position').selectOption('Striker')
  await expect(page.getByText(t('team:PositionUpdated', { position: 'Striker' }))).toBeVisible()
})

test('nothing stored and nobody there: marked examples, to be read alone', async ({ page, t, server }) => {
  const coach = await coachOfOne(server.url)
  await page.route(ALLOCATED, (route) => route.abort())
  await arriveAs(page, coach, paths.home())
  await expect(panel(page, t).getByText('Showing demo data. API connection unavailable.')).toBeVisible({ timeout: 30_000 })
  expect(await names(page, t)).toEqual([t('team:TeamExample'), t('team:TeamExample'), t('team:TeamExample')])
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

test('cards on a phone, a table on a tablet', async ({ page, t, server }) => {
  const coach = await signInByApi(server.url, DEMO)
  await page.setViewportSize({ width: 390, height: 844 })
  await arriveAs(page, coach, paths.home())
  await expect(rows(page, t)).toHaveCount(10)
  await expect(heading(page, t, 'Email')).toBeHidden()
  await panel(page, t)
    .getByLabel(t('team:TeamSortBy'))
    .selectOption({ label: t('team:TeamSortedDown', { column: 'Player' }) })
  const collator = new Intl.Collator('en')
  const shown = await names(page, t)
  expect(shown).toEqual(shown.toSorted((a, b) => collator.compare(b, a)))
  const widthOf = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(await widthOf()).toBeLessThanOrEqual(0)
  // the next page begins where it can be seen
  await panel(page, t)
    .getByRole('button', { name: t('ui:NextPage') })
    .click()
  await expect(rows(page, t).first()).toBeInViewport()

  await page.setViewportSize({ width: 820, height: 1180 })
  await expect(heading(page, t, 'Email')).toBeVisible()
  expect(await widthOf()).toBeLessThanOrEqual(0)
})

test('all nine columns are whole on a tablet and on a laptop, in both languages and in larger text', async ({ page, server }) => {
  const coach = await signInByApi(server.url, DEMO)
  await page.setViewportSize({ width: 820, height: 1180 })
  await arriveAs(page, coach, paths.home())
  for (const language of ['fr', 'en'] as const) {
    await speak(page, language)
    const t = wordsOf(language)
    await expect(rows(page, t)).toHaveCount(10)
    for (const percent of [100, 150]) {
      await page.evaluate((size) => void (document.documentElement.style.fontSize = `${size}%`), percent)
      // the sidebar as signs, and open
      for (const width of [820, 1280, 1920]) {
        await page.setViewportSize({ width, height: 1180 })
        await expect(panel(page, t).getByRole('columnheader')).toHaveCount(9)
        const found = await panel(page, t).getByRole('table').evaluate(whatIsNotWhole)
        expect.soft(found, `${language}, ${width} px, ${percent} %`).toEqual([])
      }
    }
    await page.evaluate(() => void (document.documentElement.style.fontSize = ''))
  }
})

/** Runs in the page: cells and headings that are not whole on the screen, and texts that lie on another cell's. */
function whatIsNotWhole(table: HTMLElement | SVGElement): string[] {
  const pen = new OffscreenCanvas(1, 1).getContext('2d')
  const isWider = (field: HTMLInputElement | HTMLSelectElement) => {
    const { fontWeight, fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(field)
    if (pen) pen.font = `${fontWeight} ${fontSize} ${fontFamily}`
    const words = field instanceof HTMLSelectElement ? (field.selectedOptions[0]?.label ?? '') : field.value
    return !pen || pen.measureText(words).width > field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
  }
  const boxesOf = (cell: Element): DOMRect[] => {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
    const boxes = [...cell.querySelectorAll('input, select, button')].map((field) => field.getBoundingClientRect())
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const parent = text.parentElement
      if (!parent || parent.closest('option, .visually-hidden, button')) continue
      const range = document.createRange()
      range.selectNodeContents(text)
      boxes.push(...range.getClientRects())
    }
    return boxes
  }
  const found: string[] = []
  for (const row of table.querySelectorAll('tr')) {
    const cells = [...row.children].map((cell) => ({ cell, own: cell.getBoundingClientRect(), boxes: boxesOf(cell) }))
    if (cells.length !== 9) found.push(`${cells.length} columns`)
    for (const { cell, own, boxes } of cells) {
      const name = cell.textContent || (cell.getAttribute('data-label') ?? '')
      const isIn = (box: DOMRect, [left, right]: [number, number]) => box.width > 0 && box.left >= left - 1 && box.right <= right + 1
      if (!isIn(own, [0, document.documentElement.clientWidth])) found.push(`not on the screen: ${name}`)
      if (boxes.length === 0 || !boxes.every((box) => isIn(box, [own.left, own.right]))) found.push(`wider than its column: ${name}`)
      if ([...cell.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')].some(isWider)) found.push(`cut off: ${name}`)
      const others = cells.filter((one) => one.cell !== cell).flatMap((one) => one.boxes)
      const isOver = (a: DOMRect, b: DOMRect) =>
        a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
      if (boxes.some((box) => others.some((other) => isOver(box, other)))) found.push(`over another: ${name}`)
    }
  }
  return found
}
