import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { users } from '#contract/users.ts'
import { newPlayer } from './support/api.ts'
import { fillPorto } from './support/coach.ts'
import { cut, firstReplyLate, replyWith, type Bend } from './support/front.ts'
import { arriveAs, expect, gate, test } from './support/journey.ts'
import { expectScreen } from './support/screens.ts'
import { startOf, wordsOf, type Words } from './support/words.ts'

/** What this tab or another has saved of the profile, and what is typed, is not replaced by what was there before. PROFILE-5, OFFLINE-3 */

const PROFILE_CALL = /^\/api\/user\/[^/]+$/
/** It can be saved, but not read. */
const unread: Bend = (incoming, reply, pass) => (incoming.method === 'GET' ? cut(incoming, reply, pass) : pass())
const firstNameIn = (tab: Page, t: Words) => tab.getByRole('textbox', { name: t('details:FirstName') })
const lastNameIn = (tab: Page, t: Words) => tab.getByRole('textbox', { name: t('details:LastName'), exact: true })
const saveIn = (tab: Page, t: Words) => tab.getByRole('button', { name: t('details:Save'), exact: true })

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

test('what another device has saved is not put back by a form that was opened before', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile(), { origin: front.url })
  await lastNameIn(page, t).fill('Berg')
  const params = { id: player.userId }
  await player.api.ask(users.update, { params, body: { firstName: 'Zoe' } })
  front.bend(PROFILE_CALL, unread)
  await saveIn(page, t).click()
  await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()
  await expect(firstNameIn(page, t)).toHaveValue('Zoe')
  expect(await player.api.ask(users.get, { params })).toMatchObject({ firstName: 'Zoe', lastName: 'Berg' })
})

test('what is typed while a save is under way stays, as a draft', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile(), { origin: front.url })
  const late = gate()
  front.bend(PROFILE_CALL, (incoming, _reply, pass) => (incoming.method === 'PATCH' ? void late.opened.then(pass) : pass()))
  await firstNameIn(page, t).fill('Zoe')
  await saveIn(page, t).click()
  const lastName = lastNameIn(page, t)
  await lastName.fill('Berg')
  late.open()
  await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()
  await expect(lastName).toHaveValue('Berg')
  await expect(page.getByText(t('details:Unsaved'))).toBeVisible()
  await page.reload()
  await expect(page.getByText(t('details:DraftRestored'))).toBeVisible()
  await expect(lastName).toHaveValue('Berg')
  await expect(firstNameIn(page, t)).toHaveValue('Zoe')
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

test('what another tab saves while a save is under way here is no draft of this tab', async ({ page, t, server, front, context }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile(), { origin: front.url })
  const other = await context.newPage()
  await other.goto(front.url + paths.profile())
  await expect(firstNameIn(other, t)).toHaveValue('Maya')
  // the reply alone is late
  const late = gate()
  front.bend(PROFILE_CALL, (incoming, reply, pass) =>
    incoming.method === 'PATCH' && incoming.url?.includes('firstName')
      ? firstReplyLate(server.url, late.opened)(incoming, reply, pass)
      : pass(),
  )
  await firstNameIn(page, t).fill('Zoe')
  await saveIn(page, t).click()
  const params = { id: player.userId }
  await expect.poll(async () => (await player.api.ask(users.get, { params })).firstName).toBe('Zoe')
  await lastNameIn(other, t).fill('Berg')
  await saveIn(other, t).click()
  await expect(other.getByText(t('details:ProfileSaved'))).toBeVisible()
  late.open()
  await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()
  await expect(lastNameIn(page, t)).toHaveValue('Berg')
  await expect(page.getByText(t('details:Unsaved'))).toBeHidden()
  await page.reload()
  await expect(lastNameIn(page, t)).toHaveValue('Berg')
  await expect(page.getByText(t('details:DraftRestored'))).toBeHidden()
  expect(await player.api.ask(users.get, { params })).toMatchObject({ firstName: 'Zoe', lastName: 'Berg' })
})
