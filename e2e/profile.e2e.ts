import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { settings } from '#contract/settings.ts'
import { users } from '#contract/users.ts'
import { newAddress, newPlayer, signInByApi } from './support/api.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { cut, refusal, replyLost, replyWith, type Bend } from './support/front.ts'
import { holdSaves, PROFILE_CALL } from './support/profile-form.ts'
import { chooseFromList, fillDetails, fillTeam } from './support/purchase.ts'
import { expectScreen } from './support/screens.ts'
import { wordsOf } from './support/words.ts'

/** /profile: its fields, saving, and what is typed and not saved yet. PROFILE-1 to PROFILE-21 */

test('every missing field has its own message, the birth date one, and Save sends what PROFILE-14 names', async ({
  page,
  t,
  server,
  front,
}) => {
  const player = await signInByApi(server.url, newAddress())
  await arriveAs(page, player, paths.profile(), { origin: front.url })
  await expect(page.getByRole('heading', { level: 1, name: t('profile:ProfileTitle') })).toBeVisible()
  await expect(page.getByText(t('details:MandatoryFields'))).toBeVisible()
  for (const label of ['Country', 'City', 'Gender', 'BirthMonth', 'BirthYear', 'BestPosition', 'Email', 'FirstName', 'LastName']) {
    await expect(page.getByLabel(t(`details:${label}`)).first(), label).toHaveAttribute('required')
  }
  await page.getByRole('button', { name: t('details:AddTeam') }).click()
  await page.getByRole('button', { name: t('details:Save'), exact: true }).click()
  for (const key of ['FirstName', 'LastName', 'Gender', 'BirthDate', 'BestPosition', 'ClubType', 'ClubName', 'TeamName']) {
    await expect(page.getByText(t(`fields:${key}Required`), { exact: true }), key).toHaveCount(1)
  }
  for (const key of ['TeamLocation', 'TeamGender', 'AgeGroup', 'City'])
    await expect(page.getByText(t(`fields:${key}Required`), { exact: true })).toHaveCount(1)
  await expect(page.getByText(t('fields:CountryRequired'), { exact: true })).toHaveCount(2) // the player's and the team's
  await expect(page.getByRole('textbox', { name: t('details:FirstName') })).toBeFocused()
  for (const label of ['BirthMonth', 'BirthYear']) {
    await expect(page.getByLabel(t(`details:${label}`))).toHaveAccessibleDescription(t('fields:BirthDateRequired'))
  }

  await expect(page.getByLabel(t('details:BirthMonth')).getByRole('option')).toHaveCount(13)
  const thisYear = new Date().getFullYear()
  const years = page.getByLabel(t('details:BirthYear')).getByRole('option')
  await expect(years).toHaveCount(101)
  await expect(years.nth(1)).toHaveText(String(thisYear))
  await expect(years.nth(100)).toHaveText(String(thisYear - 99))

  await page.getByRole('button', { name: t('details:RemoveTeamNumber', { number: 1 }) }).click()
  await expect(page.getByText(t('details:NoTeams'))).toBeVisible()
  await fillDetails(page, t, { country: 'France', typed: 'marsei', city: 'Marseille' })
  await page.getByRole('button', { name: t('details:AddTeam') }).click()
  await fillTeam(page, t)
  const release = holdSaves(front)
  const sent = await bodySent(page, () => page.getByRole('button', { name: t('details:Save'), exact: true }).click())
  await expect(page.getByRole('button', { name: t('details:Saving'), exact: true })).toBeVisible()
  release()
  await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()

  const team = { clubType: named('amateur-club'), clubName: 'AS Test', teamName: 'U17 A', teamGender: 'mixed', ageGroup: named('senior') }
  expect(sent).toEqual({
    firstName: 'Inès',
    lastName: 'Okonkwo-Roy',
    email: player.email,
    cityId: 'Marseille',
    countryId: 'France',
    gender: 'female',
    birthDate: '2006-05-01',
    preferredPosition: named('goalkeeper'),
    sport: { id: 'soccer', name: 'Soccer' },
    teams: [{ ...team, country: named('Canada'), location: named('Montréal') }],
  })
  const stored = await player.api.ask(users.get, { params: { id: player.userId } })
  expect(stored).toMatchObject({ firstName: 'Inès', birthDate: '2006-05-01', teams: [{ teamName: 'U17 A' }] })
})

test('every field about the person has an autocomplete purpose (WCAG 1.3.5)', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  const purposes: Record<string, string> = {
    FirstName: 'given-name',
    LastName: 'family-name',
    Email: 'email',
    Country: 'country-name',
    City: 'address-level2',
    BirthMonth: 'bday-month',
    BirthYear: 'bday-year',
    Gender: 'sex',
    // none of the standard's purposes fits
    BestPosition: 'off',
  }
  const forms = [paths.onboard(), paths.profile(), paths.confirmDetails(player.instanceId), paths.checkout('touchline-profile')]
  for (const path of forms) {
    if (path === paths.onboard()) await page.goto(path)
    else await arriveAs(page, player, path)
    await expect(page.getByRole('textbox', { name: t('details:FirstName') })).toBeVisible()
    const fields = page.locator('form :is(input, select):visible')
    const shared = path === paths.onboard() ? 5 : Object.keys(purposes).length
    await expect(fields, path).toHaveCount(shared)
    for (const [label, purpose] of Object.entries(purposes).slice(0, shared))
      await expect
        .soft(page.getByLabel(t(`details:${label}`), { exact: false }).first(), `${label} on ${path}`)
        .toHaveAttribute('autocomplete', purpose)
  }
})

test('the message of a save is removed when the next save fails', async ({ page, t, server, front }) => {
  await arriveAs(page, await newPlayer(server.url), paths.profile(), { origin: front.url })
  const save = page.getByRole('button', { name: t('details:Save'), exact: true })
  await save.click()
  await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()
  await page.getByText(t('details:ProfileSaved')).hover() // the toast's timer stops
  front.bend(PROFILE_CALL, replyWith(500, {}))
  await page.getByRole('textbox', { name: t('details:FirstName') }).press('Enter')
  await expect(page.getByRole('alert')).toHaveText(startOfText(t('details:ProfileNotSaved')))
  await expect(page.getByText(t('details:ProfileSaved'))).toBeHidden()
})

test('a save whose reply is lost is said to be possibly done, also after a proxy has refused the next one', async ({
  page,
  t,
  server,
  front,
}) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile(), { origin: front.url })
  await page.getByRole('textbox', { name: t('details:FirstName') }).fill('Maja')
  const save = page.getByRole('button', { name: t('details:Save'), exact: true })
  const whileNotRead =
    (bend: Bend): Bend =>
    (incoming, reply, pass) =>
      (incoming.method === 'PATCH' ? bend : cut)(incoming, reply, pass)
  front.bend(PROFILE_CALL, whileNotRead(replyLost(server.url)))
  await save.click()
  await expect(page.getByRole('alert')).toContainText(t('details:MayBeSaved'))
  front.bend(PROFILE_CALL, whileNotRead(replyWith(403, 'Forbidden')))
  await save.click()
  await expect(page.getByRole('alert')).toContainText(t('errors:PARSING_ERROR'))
  await expect(page.getByRole('alert')).toContainText(t('details:MayBeSaved'))
  // also after a reload
  await page.reload()
  await expect(page.getByText(t('details:DraftRestoredUnsure'))).toBeVisible()
  await save.click()
  await expect(page.getByRole('alert')).toContainText(t('details:MayBeSaved'))
  front.mend()
  await save.click()
  await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()
  await expect(page.getByRole('alert')).toBeHidden()
})

for (const language of ['en', 'fr'] as const) {
  test(`a player who is too young is told so at the field, in ${language}, and nothing typed is lost`, async ({ page, server }) => {
    const t = wordsOf(language)
    const player = await newPlayer(server.url, { hasBought: false })
    const { minimumAge } = await player.api.ask(settings.get, {})
    await arriveAs(page, player, paths.profile(), { language })
    await page.getByRole('textbox', { name: t('details:FirstName') }).fill('Maja')
    const year = page.getByLabel(t('details:BirthYear'))
    await year.selectOption(String(new Date().getFullYear() - minimumAge + 1))
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'PATCH' && sent.push(request.url()))
    const save = page.getByRole('button', { name: t('details:Save'), exact: true })
    await save.click()
    await expect(year).toHaveAccessibleDescription(t('fields:TooYoung', { age: minimumAge }))
    // to the part that most likely has to be mended
    await expect(year).toBeFocused()
    expect(sent).toEqual([])
    await expect(page.getByRole('textbox', { name: t('details:FirstName') })).toHaveValue('Maja')
    await year.selectOption(String(new Date().getFullYear() - minimumAge - 1))
    await save.click()
    await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()
  })
}

test('failures to load or save are reported, and nothing typed is lost', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  const broken = replyWith(500, { code: 'INTERNAL', message: 'x', requestId: '-' })
  front.bend(PROFILE_CALL, broken)
  await arriveAs(page, player, paths.profile(), { origin: front.url })
  await expect(page.getByRole('alert')).toHaveText(startOfText(t('details:ErrorLoadingProfile')))
  front.mend()
  await page.getByRole('button', { name: t('profile:ProfileTryAgain') }).click()
  const firstName = page.getByRole('textbox', { name: t('details:FirstName') })
  await expect(firstName).toHaveValue('Maya')

  await firstName.fill('Maja')
  await expect(page.getByText(t('details:Unsaved'))).toBeVisible()
  front.bend(PROFILE_CALL, (incoming, reply, pass) => (incoming.method === 'PATCH' ? broken(incoming, reply, pass) : pass()))
  await page.getByRole('button', { name: t('details:Save'), exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText(`${t('details:ProfileNotSaved')} ${t('errors:INTERNAL')} ${t('details:MayBeSaved')}`)
  await expect(firstName).toHaveValue('Maja')

  await page.reload()
  await expect(page.getByText(t('details:DraftRestoredUnsure'))).toBeVisible()
  await expect(firstName).toHaveValue('Maja')
  await page.getByRole('button', { name: t('details:DraftDiscard') }).click()
  await expect(firstName).toHaveValue('Maya')
  await page.reload()
  await expect(firstName).toHaveValue('Maya')
  await expect(page.getByText(t('details:DraftRestored'))).toBeHidden()
})

test('nothing can be saved without a user id, and the screen says so', async ({ page, t, server }) => {
  await arriveAs(page, await signInByApi(server.url, newAddress()), paths.home())
  await expectScreen(page, t, 'home', paths.home())
  // a token that cannot be read leaves the user undefined (SESSION-2) while it cannot be renewed
  await page.route('**/api/auth/refresh', (route) => route.fulfill({ status: 503, json: refusal('Later') }))
  await page.evaluate(() => localStorage.setItem('idToken', 'unreadable'))
  await page.goto(paths.profile())
  await expect(page.getByRole('alert')).toHaveText(t('details:UserNotAuthenticated'))
})

test('a click on Save works although leaving the field moves the button', async ({ page, t, server }) => {
  await arriveAs(page, await newPlayer(server.url, { hasBought: false }), paths.profile())
  const position = page.getByLabel(t('details:BestPosition'))
  await position.focus()
  await position.selectOption('')
  await page.getByRole('button', { name: t('details:Save'), exact: true }).click()
  await expect(page.getByText(t('fields:BestPositionRequired'))).toBeVisible()
  // a click beside the button would have removed the focus
  await expect(position).toBeFocused()
  // a typed name that was not picked from the list also counts at the click
  await position.selectOption('goalkeeper')
  await page.getByRole('combobox', { name: t('details:City') }).fill('québec')
  await page.getByRole('button', { name: t('details:Save'), exact: true }).click()
  await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()
  await expect(page.getByRole('combobox', { name: t('details:City') })).toHaveValue('Québec')
})

test('a coach’s profile has their teams and no field that only players have', async ({ page, t, server, front }) => {
  const coach = await signInByApi(server.url, newAddress(), 'coach')
  await arriveAs(page, coach, paths.profile(), { origin: front.url })
  await expect(page.getByRole('heading', { name: t('details:TeamsCoached') })).toBeVisible()
  for (const label of ['Gender', 'BirthMonth', 'BirthYear', 'BestPosition'])
    await expect(page.getByLabel(t(`details:${label}`))).toHaveCount(0)
  await page.getByRole('textbox', { name: t('details:FirstName') }).fill('Sam')
  await page.getByRole('textbox', { name: t('details:LastName') }).fill('Adeyemi')
  await chooseFromList(page, t('details:Country'), 'Canada')
  await chooseFromList(page, t('details:City'), 'Montréal')
  await page.getByRole('button', { name: t('details:AddTeam') }).click()
  await fillTeam(page, t)
  front.bend(PROFILE_CALL, replyWith(500, {}))
  await page.getByRole('button', { name: t('details:Save'), exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText(startOfText(t('details:CoachProfileNotSaved')))
  front.mend()
  const sent = await bodySent(page, () => page.getByRole('button', { name: t('details:Save'), exact: true }).click())
  await expect(page.getByText(t('details:CoachProfileSaved'))).toBeVisible()
  expect(Object.keys(sent).toSorted()).toEqual(['cityId', 'countryId', 'email', 'firstName', 'lastName', 'teams'])
})

const named = (id: string) => ({ id, name: id })

const startOfText = (text: string) => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`)

async function bodySent(page: Page, act: () => Promise<void>): Promise<Record<string, unknown>> {
  const [request] = await Promise.all([page.waitForRequest((one) => one.method() === 'PATCH'), act()])
  return request.postDataJSON() as Record<string, unknown> // our own portal's JSON
}
