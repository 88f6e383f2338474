import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { users } from '#contract/users.ts'
import { newPlayer, playerDetails, type Person } from './support/api.ts'
import { refusal, replyWith } from './support/front.ts'
import { arriveAs, expect, gate, signInHere, signOut, test } from './support/journey.ts'
import {
  firstNameIn,
  holdSaves,
  lastNameIn,
  leaveForHome,
  openProfileFromMenu,
  PROFILE_CALL,
  saveAs,
  saveIn,
} from './support/profile-form.ts'
import { expectScreen } from './support/screens.ts'

/** Forms of the profile that are left, loaded anew, discarded or duplicated while something in them is not saved. PROFILE-5, OFFLINE-11 */

const NOT_THIS = 'Another name, please.'

async function atOwnProfile(page: Page, url: string, origin = url): Promise<Person> {
  const player = await newPlayer(url, { hasBought: false })
  await arriveAs(page, player, paths.profile(), { origin })
  return player
}

test('the reply of a form that was left replaces nothing that is typed in the next one', async ({ page, t, server, front }) => {
  const player = await atOwnProfile(page, server.url, front.url)
  const releaseSaves = holdSaves(front)
  await saveAs(page, t, 'Zoe')
  await firstNameIn(page, t).fill('Zoey')
  await leaveForHome(page, t)
  await openProfileFromMenu(page, t)
  await firstNameIn(page, t).fill('Mia')
  const saved = page.waitForResponse((reply) => reply.request().method() === 'PATCH')
  releaseSaves()
  await (await saved).finished()
  await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()
  await expect(firstNameIn(page, t)).toHaveValue('Mia')
  await page.reload()
  await expect(firstNameIn(page, t)).toHaveValue('Mia')
  await saveIn(page, t).click()
  await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()
  expect(await player.api.ask(users.get, { params: { id: player.userId } })).toMatchObject({ firstName: 'Mia' })
})

test('a save of a form that was left is not sent again over that of the next one', async ({ page, t, server, front }) => {
  const player = await atOwnProfile(page, server.url, front.url)
  const late = gate()
  let isFirst = true
  front.bend(PROFILE_CALL, (incoming, _reply, pass) => {
    const isHeld = incoming.method === 'PATCH' && isFirst
    if (isHeld) isFirst = false
    return isHeld ? void late.opened.then(pass) : pass()
  })
  await saveAs(page, t, 'Zoe')
  await leaveForHome(page, t)
  await openProfileFromMenu(page, t)
  await saveAs(page, t, 'Mia')
  await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()
  const overtaken = page.waitForResponse((reply) => reply.status() === 409)
  late.open()
  await overtaken
  // nor is it told of: what was typed later is saved
  await leaveForHome(page, t)
  await expect(page.getByText(t('errors:PROFILE_CHANGED'))).toBeHidden()
  await page.goto(front.url + paths.profile())
  await expect(firstNameIn(page, t)).toHaveValue('Mia')
  expect(await player.api.ask(users.get, { params: { id: player.userId } })).toMatchObject({ firstName: 'Mia' })
})

test('what was put back while a save is slow is shown by the next form, and saved', async ({ page, t, server, front }) => {
  const player = await atOwnProfile(page, server.url, front.url)
  const releaseSaves = holdSaves(front)
  await saveAs(page, t, 'Zoe')
  await firstNameIn(page, t).fill('Maya')
  await leaveForHome(page, t)
  await openProfileFromMenu(page, t)
  await expect(firstNameIn(page, t)).toHaveValue('Maya')
  const saved = page.waitForResponse((reply) => reply.request().method() === 'PATCH')
  releaseSaves()
  await (await saved).finished()
  await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()
  await expect(page.getByText(t('details:Unsaved'))).toBeVisible()
  await lastNameIn(page, t).fill('Berg')
  await expect(firstNameIn(page, t)).toHaveValue('Maya')
  const savedAgain = page.waitForResponse((reply) => reply.request().method() === 'PATCH')
  await saveIn(page, t).click()
  expect((await savedAgain).status()).toBe(200)
  await expect(page.getByText(t('details:Unsaved'))).toBeHidden()
  expect(await player.api.ask(users.get, { params: { id: player.userId } })).toMatchObject({ firstName: 'Maya', lastName: 'Berg' })
})

test('what was put back while a save is slow is there after a reload, before that save arrives', async ({ page, t, server, front }) => {
  const player = await atOwnProfile(page, server.url, front.url)
  holdSaves(front)
  await saveAs(page, t, 'Zoe')
  await firstNameIn(page, t).fill('Maya')
  await page.reload()
  await expect(page.getByText(t('details:DraftRestoredUnsure'))).toBeVisible()
  await expect(firstNameIn(page, t)).toHaveValue('Maya')
  const { version } = await player.api.ask(users.get, { params: { id: player.userId } })
  const late = { params: { id: player.userId }, query: { edited: 'firstName', version }, body: { ...playerDetails, firstName: 'Zoe' } }
  await player.api.ask(users.update, late)
  front.mend()
  await saveIn(page, t).click()
  await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()
  expect(await player.api.ask(users.get, { params: { id: player.userId } })).toMatchObject({ firstName: 'Maya' })
})

for (const { why, refuse, told } of [
  { why: 'is refused', refuse: replyWith(400, { ...refusal(NOT_THIS), fields: { firstName: NOT_THIS } }), told: 'details:ProfileNotSaved' },
  { why: 'comes after that of another device', refuse: undefined, told: 'errors:PROFILE_CHANGED' },
]) {
  test(`a save that ${why} once its form was left is told of, and what was typed is kept`, async ({ page, t, server, front }) => {
    const player = await atOwnProfile(page, server.url, front.url)
    const late = gate()
    front.bend(PROFILE_CALL, (incoming, reply, pass) =>
      incoming.method === 'PATCH' ? void late.opened.then(() => (refuse ? refuse(incoming, reply, pass) : pass())) : pass(),
    )
    await saveAs(page, t, 'Zoe')
    await leaveForHome(page, t)
    if (!refuse) await player.api.ask(users.update, { params: { id: player.userId }, body: { ...playerDetails, lastName: 'Device' } })
    late.open()
    await expect(page.locator('#toasts')).toContainText(t(told))
    await expectScreen(page, t, 'home', front.url + paths.home())
    front.mend()
    await openProfileFromMenu(page, t)
    await expect(page.getByText(t('details:DraftRestored'))).toBeVisible()
    await expect(firstNameIn(page, t)).toHaveValue('Zoe')
    // what was refused is not taken for what may be saved
    await firstNameIn(page, t).fill('Maya')
    await expect(page.getByText(t('details:Unsaved'))).toBeHidden()
  })
}

test('what is being saved cannot be discarded meanwhile', async ({ page, t, server, front }) => {
  await atOwnProfile(page, server.url, front.url)
  await firstNameIn(page, t).fill('Zoe')
  await page.reload()
  const discard = page.getByRole('button', { name: t('details:DraftDiscard') })
  await expect(discard).toBeVisible()
  const releaseSaves = holdSaves(front)
  await saveIn(page, t).click()
  await expect(discard).toBeHidden()
  releaseSaves()
  await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()
  await expect(page.getByText(t('details:Unsaved'))).toBeHidden()
  await expect(firstNameIn(page, t)).toHaveValue('Zoe')
})

test('a form that another one follows at once goes on there, too', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.confirmDetails(player.instanceId), { origin: front.url })
  await expectScreen(page, t, 'confirmDetails', front.url + paths.confirmDetails(player.instanceId))
  await page.evaluate((path) => history.pushState(null, '', path), paths.profile())
  await expectScreen(page, t, 'profile', front.url + paths.profile())
  const releaseSaves = holdSaves(front)
  await saveAs(page, t, 'Zoe')
  await page.goBack()
  await expectScreen(page, t, 'confirmDetails', front.url + paths.confirmDetails(player.instanceId))
  await expect(firstNameIn(page, t)).toHaveValue('Zoe')
  await expect(page.getByRole('button', { name: t('details:DraftDiscard') })).toBeHidden()
  await firstNameIn(page, t).fill('Mia')
  releaseSaves()
  await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()
  await expect(firstNameIn(page, t)).toHaveValue('Mia')
  await expect(page.getByText(t('details:Unsaved'))).toBeVisible()
})

test('nothing of a form that was left outlives the sign-out, also for the same person', async ({ page, t, server, front, api }) => {
  const player = await atOwnProfile(page, server.url, front.url)
  holdSaves(front)
  await saveAs(page, t, 'Zoe')
  await firstNameIn(page, t).fill('Zoey')
  await signOut(page, t)
  await signInHere(page, t, api, player.email)
  await openProfileFromMenu(page, t)
  await expect(firstNameIn(page, t)).toHaveValue('Maya')
})

/** A page opened by another has a copy of its session storage, as a duplicate has. */
async function duplicateOf(page: Page): Promise<Page> {
  const [twin] = await Promise.all([page.waitForEvent('popup'), page.evaluate((url) => void window.open(url), paths.profile())])
  return twin
}

test('a duplicated tab neither shows nor replaces what is typed in its original', async ({ page, t, server }) => {
  await atOwnProfile(page, server.url)
  await firstNameIn(page, t).fill('Zoe')
  await expect(page.getByText(t('details:Unsaved'))).toBeVisible()
  const twin = await duplicateOf(page)
  await expect(firstNameIn(twin, t)).toHaveValue('Maya')
  await firstNameIn(twin, t).fill('Bea')
  await expect(twin.getByText(t('details:Unsaved'))).toBeVisible()
  await page.reload()
  await expect(page.getByText(t('details:DraftRestored'))).toBeVisible()
  await expect(firstNameIn(page, t)).toHaveValue('Zoe')
  await twin.reload()
  await expect(firstNameIn(twin, t)).toHaveValue('Bea')
})

test('a tab that is duplicated while its form is left stays the owner of its draft', async ({ page, t, server }) => {
  await atOwnProfile(page, server.url)
  await firstNameIn(page, t).fill('Zoe')
  await leaveForHome(page, t)
  const twin = await duplicateOf(page)
  await expect(firstNameIn(twin, t)).toHaveValue('Maya')
  await openProfileFromMenu(page, t)
  await expect(page.getByText(t('details:DraftRestored'))).toBeVisible()
  await saveAs(page, t, 'Mia')
  await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()
  await twin.close()
  await page.reload()
  await expect(firstNameIn(page, t)).toHaveValue('Mia')
  await expect(page.getByText(t('details:DraftRestored'))).toBeHidden()
})

test('what another open tab has typed is neither shown nor saved here, and is back once that tab is gone', async ({
  page,
  t,
  server,
  context,
}) => {
  const player = await atOwnProfile(page, server.url)
  const savedName = async () => (await player.api.ask(users.get, { params: { id: player.userId } })).firstName
  const before = (await savedName()) ?? ''
  await firstNameIn(page, t).fill('Zoe')
  await expect(page.getByText(t('details:Unsaved'))).toBeVisible()
  const other = await context.newPage()
  await other.goto(paths.profile())
  await expect(firstNameIn(other, t)).toHaveValue(before)
  // nor is it while that tab is on another screen
  await leaveForHome(page, t)
  await other.reload()
  await expect(firstNameIn(other, t)).toHaveValue(before)
  await lastNameIn(other, t).fill('Berg')
  await saveIn(other, t).click()
  await expect(other.getByText(t('details:ProfileSaved'))).toBeVisible()
  expect(await savedName()).toBe(before)
  await page.close()
  await other.reload()
  await expect(other.getByText(t('details:DraftRestored'))).toBeVisible()
  await expect(firstNameIn(other, t)).toHaveValue('Zoe')
  await expect(lastNameIn(other, t)).toHaveValue('Berg')
})
