import { paths } from '#app/paths.ts'
import { users } from '#contract/users.ts'
import { newAddress, newPlayer, signInByApi } from './support/api.ts'
import { replyWith } from './support/front.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { chooseFromList } from './support/purchase.ts'
import { texts, wordsOf } from './support/words.ts'

/** The lists on /profile to choose from: countries, cities and positions, in both languages. PROFILE-22 to PROFILE-32 */

test('a city needs its country, is cleared with it, and is found by its letters', async ({ page, t, server }) => {
  await arriveAs(page, await signInByApi(server.url, newAddress()), paths.profile())
  const country = page.getByRole('combobox', { name: t('details:Country') })
  const city = page.getByRole('combobox', { name: t('details:City') })
  const options = page.getByRole('listbox').getByRole('option')
  await expect(city).toBeDisabled()
  await chooseFromList(page, t('details:Country'), 'France')
  await expect(city).toBeEnabled()
  // a long list is cut to its 50 largest until more than 2 letters are typed
  await city.click()
  await expect(options).toHaveCount(50)
  await expect(options.first()).toHaveText('Paris')
  await city.pressSequentially('ro')
  await expect(options).toHaveCount(50)
  await city.pressSequentially('u')
  await expect(options.first()).toHaveText(/^rou/i)
  expect(await options.count()).toBeLessThanOrEqual(50)
  await city.fill('rouen')
  await expect(options.first()).toHaveText('Rouen')
  await city.fill('zzzz')
  await expect(options).toHaveCount(0)
  await city.fill('saint etienne')
  await page.getByRole('option', { name: 'Saint-Étienne', exact: true }).click()
  await expect(city).toHaveValue('Saint-Étienne')

  await chooseFromList(page, t('details:Country'), 'Senegal')
  await expect(city).toHaveValue('')
  await city.click()
  await expect(options.first()).toHaveText('Dakar')
  await page.keyboard.press('Escape')

  // a loaded list is not fetched again for a team
  const fetched: string[] = []
  page.on('request', (request) => request.url().includes('/media/cities/') && fetched.push(request.url()))
  await page.getByRole('button', { name: t('details:AddTeam') }).click()
  const team = page.getByRole('group', { name: t('details:TeamNumber', { number: 1 }) })
  await team.getByRole('combobox', { name: t('details:TeamCountry') }).fill('seneg')
  await page.getByRole('option', { name: 'Senegal', exact: true }).click()
  await team.getByRole('combobox', { name: t('details:TeamLocation') }).click()
  await expect(options.first()).toHaveText('Dakar')
  expect(fetched).toEqual([])
  await page.getByRole('button', { name: t('details:RemoveTeamNumber', { number: 1 }) }).click()
  await expect(team).toHaveCount(0)
  await country.fill('')
  await expect(city).toBeDisabled()
})

test('Tab leads on from an open list that scrolls', async ({ page, t, server }) => {
  await arriveAs(page, await signInByApi(server.url, newAddress()), paths.profile())
  const country = page.getByRole('combobox', { name: t('details:Country') })
  await country.press('ArrowDown')
  await expect(page.getByRole('listbox')).toBeVisible()
  await country.press('Tab')
  await expect(page.getByRole('listbox')).toBeHidden()
  await expect(page.locator('input:focus, select:focus, button:focus')).toHaveCount(1)
})

for (const { language, belgium, typed, option, shown, stored } of [
  { language: 'fr', belgium: 'Belgique', typed: 'bruxelles', option: 'Bruxelles', shown: 'Bruxelles', stored: 'Brussels' },
  { language: 'fr', belgium: 'Belgique', typed: 'antwerpen', option: 'Anvers (Antwerpen)', shown: 'Anvers', stored: 'Antwerp' },
  { language: 'en', belgium: 'Belgium', typed: 'bruxelles', option: 'Brussels (Bruxelles)', shown: 'Brussels', stored: 'Brussels' },
] as const) {
  test(`in ${language}, ${typed} finds ${option}, and ${stored} is saved`, async ({ page, server }) => {
    const t = wordsOf(language)
    const player = await newPlayer(server.url, { hasBought: false })
    await arriveAs(page, player, paths.profile(), { language })
    await chooseFromList(page, t('details:Country'), belgium)
    const city = page.getByRole('combobox', { name: t('details:City') })
    const options = page.getByRole('listbox').getByRole('option')
    await city.fill(typed)
    await expect(options.first()).toHaveText(option)
    await options.first().click()
    await expect(city).toHaveValue(shown)
    await page.getByRole('button', { name: t('details:Save'), exact: true }).click()
    await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()
    expect(await player.api.ask(users.get, { params: { id: player.userId } })).toMatchObject({ cityId: stored })
    await page.reload()
    await expect(city).toHaveValue(shown)

    // picked again by that name, the stored value stays the same
    await city.fill(typed)
    await expect(options.first()).toHaveText(option)
    await city.press('Enter')
    await city.press('Tab')
    await expect(city).toHaveValue(shown)
    // the list's own name, typed in full, is chosen on leaving the field in every language
    await city.fill('')
    await city.fill(stored)
    await city.press('Tab')
    await expect(city).toHaveValue(shown)
    await expect(page.getByText(t('details:Unsaved'))).toBeHidden()
  })
}

test('a country without cities offers itself as the only place, so the form can be completed', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.profile(), { origin: front.url })
  front.bend(/^\/media\/cities\/SG\.json/, replyWith(200, { cities: [] }))
  await chooseFromList(page, t('details:Country'), 'Singapore')
  const city = page.getByRole('combobox', { name: t('details:City') })
  await expect(city).toHaveAccessibleDescription(t('details:CityNoneListed'))
  await city.click()
  await page.getByRole('option', { name: 'Singapore', exact: true }).click()
  await page.getByRole('button', { name: t('details:Save'), exact: true }).click()
  await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()
  expect(await player.api.ask(users.get, { params: { id: player.userId } })).toMatchObject({ countryId: 'Singapore', cityId: 'Singapore' })
})

test('a city list that cannot be loaded says why, and loads on retry', async ({ page, t, server, front }) => {
  await arriveAs(page, await signInByApi(server.url, newAddress()), paths.profile(), { origin: front.url })
  front.bend(/^\/media\/cities\/FR\.json/, replyWith(404, {}))
  front.bend(/^\/media\/cities\/CA\.json/, replyWith(200, { towns: ['Montréal'] }))
  await chooseFromList(page, t('details:Country'), 'France')
  await expect(page.getByText(t('details:CityListFailed', { status: 404 }))).toBeVisible()
  await page.getByRole('combobox', { name: t('details:City') }).click()
  await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(0)
  await chooseFromList(page, t('details:Country'), 'Canada')
  await expect(page.getByText(t('details:CityListInvalid'))).toBeVisible()
  front.mend()
  await page.getByRole('button', { name: t('parts:TryAgain') }).click()
  await expect(page.getByText(t('details:CityListInvalid'))).toBeHidden()
  await page.getByRole('combobox', { name: t('details:City') }).click()
  await expect(page.getByRole('option', { name: 'Montréal', exact: true })).toBeVisible()
})

test('there is one position to choose if the API has none', async ({ page, t, server, front }) => {
  front.bend(/^\/api\/reference-data\/sport\/soccer\/position/, replyWith(200, { positions: [] }))
  await arriveAs(page, await signInByApi(server.url, newAddress()), paths.profile(), { origin: front.url })
  await expect(page.getByLabel(t('details:BestPosition')).getByRole('option')).toHaveText([t('details:Choose'), 'Defence - Left'])
  await expect(page.getByLabel(t('details:BestPosition')).getByRole('option').nth(1)).toHaveAttribute('value', 'defence-left')
})

test('lookups are shown in the reader’s language, and stored values stay the same', async ({ page, server }) => {
  const inFrench = wordsOf('fr')
  await arriveAs(page, await signInByApi(server.url, 'player@demo.test'), paths.profile(), { language: 'fr' })
  const selected = (label: string) =>
    page
      .getByLabel(inFrench(`details:${label}`), { exact: false })
      .first()
      .locator('option:checked')
  await expect(selected('ClubType')).toHaveText(inFrench('details:ClubTypeAmateurClub'))
  await expect(selected('ClubType')).toHaveAttribute('value', 'amateur-club')
  await expect(selected('TeamGender')).toHaveText(inFrench('details:TeamGenderMixed'))
  await expect(selected('AgeGroup')).toHaveText(inFrench('details:AgeGroupSenior'))
  await expect(selected('BestPosition')).not.toHaveText(/^[a-z]+-/)
  expect(texts('fr').get('details:ClubTypeAmateurClub')).toBe('Club amateur')
})
