import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { DEMO_PLAYER_DONE, newAddress, newPlayer, signInByApi } from './support/api.ts'
import { arriveAs, askForCode, expect, goOffline, goOnline, test, typeCode } from './support/journey.ts'
import { listenToAnnouncer } from './support/questionnaire.ts'
import { DEMO_COACH, team, teamHeading, teamRows } from './support/team-panel.ts'
import { startOf, wordsOf, type Words } from './support/words.ts'

/** What was wrong when Orca read the product in Firefox. docs/accessibility.md says how to hear it. */

/** Opens the demo coach's team. Returns what has been announced since. */
async function openTeam(page: Page, t: Words, url: string): Promise<() => Promise<string[]>> {
  await arriveAs(page, await signInByApi(url, DEMO_COACH), paths.home())
  await expect(teamRows(page, t)).toHaveCount(10)
  return listenToAnnouncer(page)
}

test('the focus leaves a screen before the screen goes, so that Orca reads the heading of the next', async ({ page, t, server }) => {
  await arriveAs(page, await newPlayer(server.url), paths.home())
  // as it is when the address has changed, and the screen has not yet
  await page.evaluate(() =>
    addEventListener('pushState', () => Object.assign(window, { had: document.activeElement?.localName }), { once: true }),
  )
  const open = page.getByRole('link', { name: startOf(t('player:GoToAssessmentOf', { name: '' })) })
  await open.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page.getByRole('heading', { name: t('brief:BriefWhoSeesTitle') })).toBeVisible()
  expect(await page.evaluate(() => (window as unknown as { had: string }).had)).toBe('body')
})

test('the team’s order and pages are announced once, and no choice of a player turns into another player’s', async ({
  page,
  t,
  server,
}) => {
  const said = await openTeam(page, t, server.url)
  const choices = await team(page, t).getByRole('row').getByRole('combobox').elementHandles()
  const before = await Promise.all(choices.map((choice) => choice.inputValue()))
  const changed = async () => {
    const now = await Promise.all(
      choices.map((choice) => choice.evaluate((select: HTMLSelectElement) => select.isConnected && select.value)),
    )
    return now.filter((value, place) => value !== false && value !== before[place])
  }

  await teamHeading(page, t, 'Email').getByRole('button').click()
  await expect.poll(said).toEqual([t('team:TeamSortedUp', { column: t('team:TeamColumnEmail') })])
  await team(page, t)
    .getByRole('button', { name: t('ui:NextPage') })
    .click()
  await expect.poll(said).toHaveLength(2)
  expect((await said())[1]).toBe(t('ui:PageRows', { from: 11, to: 20, total: 20 }))
  expect(await changed(), 'selects that show another player').toEqual([])
})

test('that the connection is back is announced, as the strip only goes', async ({ page, t, server }) => {
  await arriveAs(page, await newPlayer(server.url), paths.home())
  const said = await listenToAnnouncer(page)
  await goOffline(page, t)
  expect(await said()).toEqual([])
  await goOnline(page, t)
  await expect.poll(said).toEqual([t('shell:OnlineAgain')])
})

test('the order of the team is announced beside the connection that is back, neither in place of the other', async ({
  page,
  t,
  server,
}) => {
  const said = await openTeam(page, t, server.url)
  await goOffline(page, t)
  await goOnline(page, t)
  await teamHeading(page, t, 'Email').getByRole('button').click()
  await expect.poll(said).toContain(t('team:TeamSortedUp', { column: t('team:TeamColumnEmail') }))
  await expect.poll(said).toContain(t('shell:OnlineAgain'))
})

test('the page of a table is announced as it is once the table rests, and not at all on the next screen', async ({ page, t, server }) => {
  await page.clock.install()
  const said = await openTeam(page, t, server.url)
  const turn = (name: string) => team(page, t).getByRole('button', { name, exact: true }).click()
  await page.clock.pauseAt(Date.now() + 60_000)
  await turn(t('ui:NextPage'))
  // sorting goes to the first page
  await teamHeading(page, t, 'Email').getByRole('button').click()
  await page.clock.runFor(2000)
  expect(await said()).toContain(t('team:TeamSortedUp', { column: t('team:TeamColumnEmail') }))
  expect(await said()).not.toContain(t('ui:PageRows', { from: 11, to: 20, total: 20 }))

  await turn(t('ui:NextPage'))
  const before = (await said()).length
  await page.evaluate((to) => history.pushState(null, '', to), paths.about())
  const heading = page.getByRole('heading', { level: 1, name: t('about:AboutTitle'), exact: true })
  await expect(async () => {
    await page.clock.runFor(50)
    await expect(heading).toBeFocused({ timeout: 100 })
  }).toPass()
  await page.clock.runFor(2000)
  expect((await said()).slice(before)).toEqual([])
})

test('the picture of a result is read once, by its name', async ({ page, t, server }) => {
  await arriveAs(page, await signInByApi(server.url, DEMO_PLAYER_DONE), paths.home())
  await page.getByRole('link', { name: startOf(t('player:ViewResults')) }).click()
  const picture = page.getByRole('img', { name: startOf(t('results:ResultsModesPicture')) })
  await expect(picture).toBeVisible()
  await expect(picture.locator(':scope > :not([aria-hidden="true"])')).toHaveCount(0)
})

test('another language leaves the focus on the switch, though the texts of a result are read again', async ({ page, t, server }) => {
  await arriveAs(page, await signInByApi(server.url, DEMO_PLAYER_DONE), paths.home())
  await page.getByRole('link', { name: startOf(t('player:ViewResults')) }).click()
  await expect(page.getByRole('heading', { name: t('results:ResultsLimitsTitle') })).toBeVisible()
  const french = page.getByRole('button', { name: 'Français' })
  await french.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: wordsOf('fr')('results:ResultsModesTitle') })).toBeVisible()
  await expect(french).toBeFocused()
})

test('a toast’s title and its text are two sentences', async ({ page, t }) => {
  await page.goto(paths.login())
  await askForCode(page, t, newAddress())
  await typeCode(page, t, '00000000')
  await expect(page.locator('#toasts')).toContainText(`${t('ui:Error')}. ${t('errors:INVALID_CODE')}`)
})

test('Back out of a form speaks no error of the field that had the focus, and keeps what was typed', async ({ page, t, server }) => {
  await arriveAs(page, await newPlayer(server.url), paths.home())
  await page.evaluate((to) => history.pushState(null, '', to), paths.profile())
  const name = page.getByLabel(t('details:FirstName')).first()
  await name.fill('')
  await page.evaluate(() => {
    const alerts: string[] = []
    Object.assign(window, { alerts })
    new MutationObserver(() => alerts.push(...[...document.querySelectorAll('[role=alert]')].map((alert) => alert.textContent))).observe(
      document.body,
      { childList: true, subtree: true },
    )
  })
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  expect(await page.evaluate(() => (window as unknown as { alerts: string[] }).alerts.filter(Boolean))).toEqual([])
  await page.goForward()
  await expect(name).toHaveValue('')
})
