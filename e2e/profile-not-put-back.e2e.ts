import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { users } from '#contract/users.ts'
import { newPlayer } from './support/api.ts'
import { fillPorto } from './support/coach.ts'
import { cut, firstReplyLate, replyWith, type Bend } from './support/front.ts'
import { arriveAs, expect, gate, test } from './support/journey.ts'
import { firstNameIn, lastNameIn, PROFILE_CALL, saveIn } from './support/profile-form.ts'
import { fillTeam } from './support/purchase.ts'
import { expectScreen } from './support/screens.ts'
import { startOf, wordsOf, type Words } from './support/words.ts'

/** What this tab, another or another device has saved of the profile, and what is typed, is not replaced by what was there before. PROFILE-5, OFFLINE-3 */

/** It can be saved, but not read. */
const unread: Bend = (incoming, reply, pass) => (incoming.method === 'GET' ? cut(incoming, reply, pass) : pass())

/** Types a last name in a tab of its own, which is closed without saving. */
async function leaveDraft(page: Page, t: Words, lastName: string): Promise<void> {
  const tab = await page.context().newPage()
  await tab.goto(paths.profile())
  await lastNameIn(tab, t).fill(lastName)
  await tab.close()
}

test('saving in one tab leaves the draft of another, typed since', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile())
  await firstNameIn(page, t).fill('Maja')
  const other = await page.context().newPage()
  await other.goto(paths.profile())
  await firstNameIn(other, t).fill('Maia')
  await page.bringToFront()
  await saveIn(page, t).click()
  await expect(page.getByText(t('details:Unsaved'))).toBeHidden()
  await other.reload()
  await expect(other.getByText(t('details:DraftRestored'))).toBeVisible()
  await expect(firstNameIn(other, t)).toHaveValue('Maia')
})

test('what was typed in a tab before another one typed and saved comes back in it', async ({ page, t, server }) => {
  await arriveAs(page, await newPlayer(server.url, { hasBought: false }), paths.profile())
  const other = await page.context().newPage()
  await other.goto(paths.profile())
  await firstNameIn(other, t).fill('Maia')
  await page.bringToFront()
  await firstNameIn(page, t).fill('Maja')
  await saveIn(page, t).click()
  await expect(page.getByText(t('details:Unsaved'))).toBeHidden()
  await other.reload()
  await expect(other.getByText(t('details:DraftRestored'))).toBeVisible()
  await expect(firstNameIn(other, t)).toHaveValue('Maia')
})

test('a draft of a closed tab does not put back what was saved since, and can be had', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  const account = async () => (await player.api.ask(users.get, { params: { id: player.userId } })).lastName
  await arriveAs(page, player, paths.profile())
  await leaveDraft(page, t, 'Old')
  await lastNameIn(page, t).fill('New')
  await saveIn(page, t).click()
  await expect(page.getByText(t('details:Unsaved'))).toBeHidden()

  await page.reload()
  await expect(page.getByText(t('details:DraftOvertaken'))).toBeVisible()
  await expect(lastNameIn(page, t)).toHaveValue('New')
  await page.getByRole('button', { name: t('details:DraftPutBack') }).click()
  await expect(lastNameIn(page, t)).toHaveValue('Old')
  await expect(page.getByText(t('details:DraftRestored'))).toBeVisible()
  await page.getByRole('button', { name: t('details:DraftDiscard') }).click()
  await expect(lastNameIn(page, t)).toHaveValue('New')
  expect(await account()).toBe('New')
})

test('discarding such a draft leaves what is typed beside it', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile())
  await leaveDraft(page, t, 'Old')
  await player.api.ask(users.update, { params: { id: player.userId }, body: { lastName: 'New' } })
  await page.reload()
  await firstNameIn(page, t).fill('Zed')
  await page.getByRole('button', { name: t('details:DraftDiscard') }).click()
  await expect(page.getByText(t('details:DraftOvertaken'))).toBeHidden()
  await expect(firstNameIn(page, t)).toHaveValue('Zed')
  await expect(lastNameIn(page, t)).toHaveValue('New')
})

test('saving another field of such a form leaves what was saved since', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile())
  await leaveDraft(page, t, 'Old')
  await player.api.ask(users.update, { params: { id: player.userId }, body: { lastName: 'New' } })

  await page.reload()
  await expect(page.getByText(t('details:DraftOvertaken'))).toBeVisible()
  await firstNameIn(page, t).fill('Zed')
  await saveIn(page, t).click()
  await expect
    .poll(async () => player.api.ask(users.get, { params: { id: player.userId } }))
    .toMatchObject({ firstName: 'Zed', lastName: 'New' })
  await page.reload()
  await expect(firstNameIn(page, t)).toHaveValue('Zed')
  await expect(page.getByText(t('details:DraftOvertaken'))).toBeHidden()
})

test('a profile that was read before a save, and arrives after it, does not put back what was there before', async ({
  page,
  t,
  server,
  front,
}) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile(), { origin: front.url })
  await expect(firstNameIn(page, t)).toHaveValue('Maya')
  const late = gate()
  const readLate = firstReplyLate(server.url, late.opened)
  front.bend(PROFILE_CALL, (incoming, reply, pass) => (incoming.method === 'GET' ? readLate(incoming, reply, pass) : pass()))
  const french = wordsOf('fr')
  await page.getByRole('button', { name: 'Français' }).first().click()
  const firstName = page.getByRole('textbox', { name: french('details:FirstName') })
  await firstName.fill('Zoe')
  await page.getByRole('button', { name: french('details:Save'), exact: true }).click()
  await expect(page.getByText(french('details:ProfileSaved'))).toBeVisible()
  late.open()

  await page.getByRole('link', { name: french('shell:MenuHome'), exact: true }).click()
  await expectScreen(page, french, 'home', front.url + paths.home())
  await expect(page.getByText('Zoe')).toBeVisible()
  await page.getByRole('link', { name: french('shell:MenuProfile'), exact: true }).click()
  await page.getByRole('textbox', { name: french('details:LastName'), exact: true }).fill('Berg')
  await page.getByRole('button', { name: french('details:Save'), exact: true }).click()
  await expect
    .poll(async () => player.api.ask(users.get, { params: { id: player.userId } }))
    .toMatchObject({ firstName: 'Zoe', lastName: 'Berg' })
})

test('after a save whose profile cannot be read anew, no screen shows the one before, and the next save does not put it back', async ({
  page,
  t,
  server,
  front,
}) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile(), { origin: front.url })
  const firstName = firstNameIn(page, t)
  await expect(firstName).toHaveValue('Maya')
  front.bend(PROFILE_CALL, unread)
  await firstName.fill('Zoe')
  const save = saveIn(page, t)
  await save.click()
  await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()

  await page.getByRole('link', { name: t('shell:MenuHome'), exact: true }).click()
  await expectScreen(page, t, 'home', front.url + paths.home())
  await expect(page.getByText('Zoe')).toBeVisible()
  await page.getByRole('link', { name: t('shell:MenuProfile'), exact: true }).click()
  await expect(firstName).toHaveValue('Zoe')
  front.mend()
  await lastNameIn(page, t).fill('Berg')
  await save.click()
  await expect
    .poll(async () => player.api.ask(users.get, { params: { id: player.userId } }))
    .toMatchObject({ firstName: 'Zoe', lastName: 'Berg' })
})

test('what one tab saves of the profile, the others read again', async ({ page, t, server, context }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.home())
  await expect(page.getByText('Maya')).toBeVisible()
  const other = await context.newPage()
  await other.goto(server.url + paths.profile())
  await firstNameIn(other, t).fill('Zoe')
  await saveIn(other, t).click()
  await expect(other.getByText(t('details:ProfileSaved'))).toBeVisible()
  await expect(page.getByText('Zoe')).toBeVisible()
  await page.getByRole('link', { name: t('shell:MenuProfile'), exact: true }).click()
  await expect(firstNameIn(page, t)).toHaveValue('Zoe')
})

test('a profile that cannot be read anew says of when it is', async ({ page, t, server, front }) => {
  await arriveAs(page, await newPlayer(server.url, { hasBought: false }), paths.home(), { origin: front.url })
  await expect(page.getByText('Maya')).toBeVisible()
  front.bend(PROFILE_CALL, replyWith(500, {}))
  await page.reload()
  await page.getByRole('link', { name: t('shell:MenuProfile'), exact: true }).click()
  await expect(firstNameIn(page, t)).toHaveValue('Maya')
  await expect(page.getByRole('main').getByText(startOf(t('parts:AsOf')))).toBeVisible()
})

test('what one tab saves appears in the form that another has open, where nothing was typed, and is not put back by its save', async ({
  page,
  t,
  server,
  context,
}) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile())
  await lastNameIn(page, t).fill('Berg')
  const other = await context.newPage()
  await other.goto(server.url + paths.profile())
  await firstNameIn(other, t).fill('Zoe')
  await saveIn(other, t).click()
  await expect(other.getByText(t('details:ProfileSaved'))).toBeVisible()

  await page.bringToFront()
  await expect(firstNameIn(page, t)).toHaveValue('Zoe')
  await expect(lastNameIn(page, t)).toHaveValue('Berg')
  await saveIn(page, t).click()
  await expect(page.getByText(t('details:Unsaved'))).toBeHidden()
  expect(await player.api.ask(users.get, { params: { id: player.userId } })).toMatchObject({ firstName: 'Zoe', lastName: 'Berg' })
  await expect(lastNameIn(other, t)).toHaveValue('Berg')
})

test('what another device has saved is not put back by a form that was opened before', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile())
  await lastNameIn(page, t).fill('Berg')
  const params = { id: player.userId }
  await player.api.ask(users.update, { params, body: { firstName: 'Zoe' } })
  await saveIn(page, t).click()
  await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()
  await expect(firstNameIn(page, t)).toHaveValue('Zoe')
  expect(await player.api.ask(users.get, { params })).toMatchObject({ firstName: 'Zoe', lastName: 'Berg' })
})

test('a field in which somebody is does not change under their fingers, but once they leave it', async ({ page, t, server, context }) => {
  await arriveAs(page, await newPlayer(server.url, { hasBought: false }), paths.profile())
  const country = (tab: Page) => tab.getByRole('combobox', { name: startOf(t('details:Country')) }).first()
  await country(page).fill('Ger')
  const other = await context.newPage()
  await other.goto(server.url + paths.profile())
  await fillPorto(other, t)
  await firstNameIn(other, t).fill('Zoe')
  await saveIn(other, t).click()
  await expect(other.getByText(t('details:ProfileSaved'))).toBeVisible()

  await page.bringToFront()
  await expect(firstNameIn(page, t)).toHaveValue('Zoe')
  await expect(country(page)).toHaveValue('Ger')
  await country(page).press('Escape')
  await lastNameIn(page, t).focus()
  await expect(country(page)).toHaveValue('Portugal')
})

test('what two devices change of the teams and the birth date is saved of both', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile())
  await page.getByRole('button', { name: t('details:AddTeam') }).click()
  await fillTeam(page, t)
  await page.getByLabel(t('details:BirthMonth')).selectOption('07')
  const params = { id: player.userId }
  await player.api.ask(users.update, { params, body: { birthDate: '2004-03-01', teams: [otherTeam] } })
  await saveIn(page, t).click()
  await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()
  const { teams, birthDate } = await player.api.ask(users.get, { params })
  expect([birthDate, teams.map(({ teamName }) => teamName).toSorted()]).toEqual(['2004-07-01', ['U17 A', 'U19']])
  await expect(page.getByLabel(t('details:TeamName'))).toHaveCount(2)
  await expect(page.getByLabel(t('details:BirthYear'))).toHaveValue('2004')
  await expect(page.getByText(t('details:Unsaved'))).toBeHidden()
})

for (const { how, there, expected } of [
  { how: 'removed', there: ['Two'], expected: ['One B', 'Two'] },
  { how: 'exchanged for another', there: ['Two', 'New'], expected: ['One B', 'Two', 'New'] },
]) {
  test(`a team that is edited here and ${how} on another device stays, and the others are as they were saved`, async ({
    page,
    t,
    server,
  }) => {
    const player = await newPlayer(server.url, { hasBought: false })
    const params = { id: player.userId }
    const teamsOf = (names: string[]) =>
      names.map((clubName) => ({ ...otherTeam, clubName, teamName: `${clubName} A`, ageGroup: named(clubName) }))
    await player.api.ask(users.update, { params, body: { teams: teamsOf(['One', 'Two']) } })
    await arriveAs(page, player, paths.profile())
    await page.getByLabel(t('details:ClubName')).first().fill('One B')
    await player.api.ask(users.update, { params, body: { teams: teamsOf(there) } })
    await saveIn(page, t).click()
    await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()
    const { teams } = await player.api.ask(users.get, { params })
    expect(teams.map(({ clubName }) => clubName)).toEqual(expected)
    for (const [place, clubName] of expected.entries())
      await expect(page.getByLabel(t('details:ClubName')).nth(place)).toHaveValue(clubName)
  })
}

const named = (id: string) => ({ id, name: id })

const otherTeam = {
  clubType: named('Academy'),
  clubName: 'Touchline FC',
  teamName: 'U19',
  country: named('France'),
  location: named('Lyon'),
  teamGender: 'female',
  ageGroup: named('U19'),
}
