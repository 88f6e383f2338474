import type { Locator, Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { PAGE_SIZE } from '#contract/constants.ts'
import { instancesForCoach } from '#contract/instances.coach.ts'
import { newAddress } from './support/api.ts'
import { newCoach } from './support/coach.ts'
import { cut, replyLost, replyWith } from './support/front.ts'
import { arriveAs, expect, goOffline, goOnline, test, untilWorkerIsThere, workerTest } from './support/journey.ts'
import { ALLOCATED, teamCell, coachOfOne, team as panel, teamRows as rows, teamOf } from './support/team-panel.ts'
import { give } from './support/tokens-panel.ts'
import { startOf } from './support/words.ts'

/** Edits in a player’s row, and the row without a connection. TEAM-9 to TEAM-12, OFFLINE-4 */

/** The dashboard reads again when it comes to the front, not oftener than every 10 s. */
async function readAgain(page: Page): Promise<void> {
  await page.clock.fastForward(15_000)
  await page.evaluate(() => dispatchEvent(new Event('focus')))
}

/** A coach whose first page is full, with two tokens left; the players' addresses in order. */
async function coachOfAPage(url: string) {
  const [coach, address] = [await newCoach(url, { tokens: PAGE_SIZE + 2 }), newAddress()]
  const players = Array.from({ length: PAGE_SIZE }, (_, at) => `${String(at + 10)}${address}`)
  for (const player of players) await give(coach, player)
  return { coach, players, first: players[0] ?? '', last: players.at(-1) ?? '', address }
}

const UPDATE = /\/api\/assessment\/assessment-instance\/[^/]+$/

test('what is typed in a cell is saved when the page is loaded anew', async ({ page, t, server }) => {
  const coach = await coachOfOne(server.url)
  await arriveAs(page, coach, paths.home())
  await teamCell(page, t, 'Team').fill('U17 girls')
  await page.reload()
  await expect.poll(async () => (await teamOf(coach))[0]).toMatchObject({ userTeam: 'U17 girls' })
  await expect(teamCell(page, t, 'Team')).toBeVisible()
})

test('team, position and player type are edited in place', async ({ page, t, server }) => {
  const coach = await coachOfOne(server.url)
  await arriveAs(page, coach, paths.home())
  const [team, type, position] = ['Team', 'Type', 'Position'].map((column) => teamCell(page, t, column)) as [Locator, Locator, Locator]
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

  // arrow keys go through the choices: only the last one is sent
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'PATCH' && sent.push(request.postData() ?? ''))
  await position.focus()
  for (const key of ['ArrowDown', 'ArrowUp', 'ArrowUp']) await page.keyboard.press(key)
  await expect(page.getByText('Position updated to Striker')).toBeVisible()
  expect(sent).toHaveLength(1)
  await position.selectOption('Center Back')
  await expect(page.getByText('Position updated to Center Back')).toBeVisible()

  // a choice by mouse replaces one by arrow keys that is not saved yet
  await position.press('ArrowDown')
  await position.dispatchEvent('mousedown')
  await position.selectOption('Striker')
  await expect(page.getByText('Position updated to Striker')).toBeVisible()
  await expect(position).toHaveValue('Striker')
  await position.dispatchEvent('mousedown')
  await position.selectOption('Center Back')
  await expect(page.getByText('Position updated to Center Back')).toBeVisible()
  expect(sent).toHaveLength(4)

  // leaving a cell saves it; an empty one removes the team
  await team.fill('')
  await type.focus()
  await expect(page.getByText('Team updated to -')).toBeVisible()
  expect(await row()).toMatchObject({ userTeam: null })
  await page.reload()
  await expect(position).toHaveValue('Center Back')
  await expect(type).toHaveValue('CURRENT')
})

test('a refused edit is undone and reported', async ({ page, t, server }) => {
  const coach = await coachOfOne(server.url)
  await arriveAs(page, coach, paths.home())
  const answer = { status: 500, contentType: 'application/json', body: '{"code":"INTERNAL","message":"-","requestId":"-"}' }
  await page.route(UPDATE, (route) => (route.request().method() === 'PATCH' ? route.fulfill(answer) : route.continue()))
  await teamCell(page, t, 'Team').fill('U19')
  await teamCell(page, t, 'Team').press('Enter')
  await expect(page.getByText('Failed to update team.')).toBeVisible()
  await expect(teamCell(page, t, 'Team')).toHaveValue('')
  await teamCell(page, t, 'Position').selectOption('Winger')
  await expect(page.getByText('Failed to update position.')).toBeVisible()
  // the player's own value, from the profile
  await expect(teamCell(page, t, 'Position')).toHaveValue('Goalkeeper')
  await teamCell(page, t, 'Type').selectOption('Current')
  await expect(page.getByText('Failed to update player type.')).toBeVisible()
  await expect(teamCell(page, t, 'Type')).toHaveValue('POTENTIAL')

  // meanwhile taken back elsewhere
  await page.unroute(UPDATE)
  const refusal = { status: 404, contentType: 'application/json', body: '{"code":"NOT_FOUND","message":"-","requestId":"-"}' }
  await page.route(UPDATE, (route) => (route.request().method() === 'PATCH' ? route.fulfill(refusal) : route.continue()))
  const [instance] = await teamOf(coach)
  await coach.api.ask(instancesForCoach.reclaim, { params: { instanceId: instance?.instanceId ?? '' }, query: {} })
  await teamCell(page, t, 'Team').fill('U19')
  await teamCell(page, t, 'Team').press('Enter')
  await expect(page.getByText('Assessment instance not found.')).toBeVisible()
  // the list is updated: it is empty and offers to invite the first player
  await expect(panel(page, t).getByText(`No results. ${t('team:TeamIsEmpty')}`)).toBeVisible()
  await panel(page, t)
    .getByRole('button', { name: t('team:TeamInviteFirst') })
    .click()
  await expect(page.getByRole('dialog')).toBeVisible()
})

test('an edit whose reply is lost is shown as the server has it', async ({ page, t, server, front }) => {
  const coach = await coachOfOne(server.url)
  await arriveAs(page, coach, paths.home(), { origin: front.url })
  await expect(teamCell(page, t, 'Team')).toHaveValue('')
  const lose = replyLost(server.url)
  front.bend(UPDATE, (incoming, reply, pass) => (incoming.method === 'PATCH' ? lose(incoming, reply, pass) : pass()))
  await teamCell(page, t, 'Team').fill('U19')
  await teamCell(page, t, 'Team').press('Enter')
  await expect(page.getByText('Failed to update team.')).toBeVisible()
  await expect(teamCell(page, t, 'Team')).toHaveValue('U19')

  // nor does the list come: the old value stays, and may not be the server's
  front.bend(/allocated/, cut)
  await teamCell(page, t, 'Team').fill('U21')
  await teamCell(page, t, 'Team').press('Enter')
  const notSure = page.getByText(`Failed to update team. ${t('team:TeamMayBeUpdated')}`)
  await expect(notSure).toBeVisible()
  await expect(teamCell(page, t, 'Team')).toHaveValue('U19')

  // a refusal by something on the way says nothing of the edit before it, also after a reload
  await page.reload()
  front.bend(UPDATE, (incoming, reply, pass) => (incoming.method === 'PATCH' ? replyWith(403, 'Forbidden')(incoming, reply, pass) : pass()))
  await teamCell(page, t, 'Team').fill('U23')
  await teamCell(page, t, 'Team').press('Enter')
  await expect(notSure).toBeVisible()
  await expect(teamCell(page, t, 'Team')).not.toHaveValue('U23')

  front.mend()
  await teamCell(page, t, 'Team').fill('U23')
  await teamCell(page, t, 'Team').press('Enter')
  await expect(page.getByText(t('team:TeamUpdated', { team: 'U23' }))).toBeVisible()
})

test('what is typed stays in its row when another tablet gives out a token meanwhile', async ({ page, t, server }) => {
  const [coach, player] = [await newCoach(server.url, { tokens: 2 }), newAddress()]
  await give(coach, player)
  await page.clock.install()
  await arriveAs(page, coach, `${paths.home()}?sort=email`)
  const label = t('team:TeamCellOf', { column: t('team:TeamColumnTeam'), name: player })
  const team = panel(page, t).getByRole('textbox', { name: label, exact: true })
  await team.pressSequentially('U1')
  await give(coach, `0${player}`)
  await readAgain(page)
  await expect(rows(page, t)).toHaveCount(2)
  await page.keyboard.type('7')
  await page.keyboard.press('Enter')
  await expect(page.getByText(t('team:TeamUpdated', { team: 'U17' }))).toBeVisible()
  await expect(team).toBeFocused()
  expect((await teamOf(coach)).map(({ userEmail, userTeam }) => [userEmail, userTeam])).toContainEqual([player, 'U17'])
})

test('what is typed for a player whose token is taken back elsewhere reaches nobody else', async ({ page, t, server }) => {
  const [coach, leaving, coming] = [await newCoach(server.url, { tokens: 2 }), newAddress(), newAddress()]
  const instanceId = await give(coach, leaving)
  await page.clock.install()
  await arriveAs(page, coach, paths.home())
  const teamOfPlayer = (name: string) =>
    panel(page, t).getByRole('textbox', { name: t('team:TeamCellOf', { column: t('team:TeamColumnTeam'), name }), exact: true })
  await teamOfPlayer(leaving).pressSequentially('U1')
  await coach.api.ask(instancesForCoach.reclaim, { params: { instanceId }, query: {} })
  await give(coach, coming)
  await readAgain(page)
  await expect(teamOfPlayer(coming)).toHaveValue('')
  await expect(teamOfPlayer(leaving)).toHaveCount(0)
  await page.keyboard.type('7')
  await page.keyboard.press('Enter')
  await expect(teamOfPlayer(coming)).toHaveValue('')
  await expect(teamOfPlayer(coming)).not.toBeFocused()
  await expect(page.getByText(t('home:InstanceNotFound'))).toBeVisible()
  expect((await teamOf(coach)).map(({ userEmail, userTeam }) => [userEmail, userTeam])).toEqual([[coming, null]])
})

test('what is typed or chosen in a row that another tablet moves to the next page is saved for its player', async ({ page, t, server }) => {
  const { coach, last, players, address } = await coachOfAPage(server.url)
  await page.clock.install()
  await arriveAs(page, coach, `${paths.home()}?sort=email`)
  await teamCell(page, t, 'Team').last().pressSequentially('U17')
  await give(coach, `01${address}`)
  await readAgain(page)
  await expect(page.getByText(t('team:TeamUpdated', { team: 'U17' }))).toBeVisible()
  await expect(panel(page, t).getByRole('region', { name: t('team:TeamTable') })).toBeFocused()

  let answer = () => undefined as void
  const asked = new Promise<void>((isAsked) => {
    const answered = new Promise<void>((resolve) => (answer = resolve))
    void page.route(ALLOCATED, async (route) => {
      isAsked()
      await answered
      await route.continue()
    })
  })
  await give(coach, `02${address}`)
  await readAgain(page)
  await asked
  await teamCell(page, t, 'Position').last().focus()
  await page.keyboard.press('ArrowDown')
  answer()
  await expect(page.getByText(t('team:PositionUpdated', { position: 'Forward' }))).toBeVisible()
  await expect(panel(page, t).getByRole('region', { name: t('team:TeamTable') })).toBeFocused()
  const edited = (await teamOf(coach)).filter((one) => one.userTeam !== null || one.userPositionName !== null)
  expect(edited.map((one) => [one.userEmail, one.userTeam, one.userPositionName]).toSorted()).toEqual([
    [players.at(-2), null, 'Forward'],
    [last, 'U17', null],
  ])
})

test('undo and redo put nothing of one player into the field of another', async ({ page, t, server }) => {
  const { coach, first, address } = await coachOfAPage(server.url)
  await give(coach, `99${address}`)
  await arriveAs(page, coach, `${paths.home()}?sort=email`)
  const team = teamCell(page, t, 'Team').first()
  for (const text of ['Old', 'New']) {
    await team.click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('Delete')
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
    await expect(page.getByText(t('team:TeamUpdated', { team: text }))).toBeVisible()
  }
  await page
    .getByRole('navigation', { name: t('team:TeamPages') })
    .getByRole('button', { name: t('ui:NextPage') })
    .click()
  await expect(rows(page, t)).toHaveCount(1)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(team).toHaveValue('')
  await team.click()
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expect(team).toHaveValue('')
  await page.keyboard.press('Tab')
  expect((await teamOf(coach)).flatMap((one) => (one.userTeam === null ? [] : [[one.userEmail, one.userTeam]]))).toEqual([[first, 'New']])
})

test('the focus passes to no other player when another tablet moves the row to the next page', async ({ page, t, server }) => {
  const { coach, address } = await coachOfAPage(server.url)
  await page.clock.install()
  await arriveAs(page, coach, `${paths.home()}?sort=email`)
  await panel(page, t).locator('.team-report').last().focus()
  await give(coach, `01${address}`)
  await readAgain(page)
  await expect(panel(page, t).getByText(`01${address}`, { exact: true })).toBeVisible()
  await expect(panel(page, t).getByRole('region', { name: t('team:TeamTable') })).toBeFocused()
})

workerTest('the team is shown offline with its date, and edits say why they wait', async ({ page, t, server }) => {
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
  await expect(teamCell(page, t, 'Team')).toBeDisabled()
  await expect(teamCell(page, t, 'Position')).toBeDisabled()
  await expect(teamCell(page, t, 'Position')).toHaveAccessibleDescription(t('team:TeamEditNeedsConnection'))
  await goOnline(page, t)
  await expect(teamCell(page, t, 'Team')).toBeEnabled()
  await expect(panel(page, t).getByText(startOf(t('parts:AsOf')))).toBeHidden()
  await teamCell(page, t, 'Position').selectOption('Striker')
  await expect(page.getByText(t('team:PositionUpdated', { position: 'Striker' }))).toBeVisible()
})
