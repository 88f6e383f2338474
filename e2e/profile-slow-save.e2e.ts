import { text } from 'node:stream/consumers'
import { paths } from '#app/paths.ts'
import { users } from '#contract/users.ts'
import { newPlayer } from './support/api.ts'
import { firstReplyLate, refusal, replyLost, replyWith } from './support/front.ts'
import { arriveAs, expect, gate, test } from './support/journey.ts'
import { firstNameIn, holdSaves, lastNameIn, PROFILE_CALL, saveIn } from './support/profile-form.ts'
import { fillTeam } from './support/purchase.ts'

/** What is typed, put back or saved elsewhere while a save of the profile is under way, or has got no reply. PROFILE-5, OFFLINE-3 */

const NOT_THIS = 'Another name, please.'

test('what is typed while a save is under way stays, as a draft', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile(), { origin: front.url })
  const releaseSaves = holdSaves(front)
  await firstNameIn(page, t).fill('Zoe')
  await saveIn(page, t).click()
  const lastName = lastNameIn(page, t)
  await lastName.fill('Berg')
  releaseSaves()
  await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()
  await expect(lastName).toHaveValue('Berg')
  await expect(page.getByText(t('details:Unsaved'))).toBeVisible()
  await page.reload()
  await expect(page.getByText(t('details:DraftRestored'))).toBeVisible()
  await expect(lastName).toHaveValue('Berg')
  await expect(firstNameIn(page, t)).toHaveValue('Zoe')
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

for (const { since, teamName } of [
  { since: 'unchanged', teamName: 'U17 A' },
  { since: 'corrected since', teamName: 'U17 B' },
]) {
  test(`a new team whose save got no reply is saved once, ${since}`, async ({ page, t, server, front }) => {
    const player = await newPlayer(server.url, { hasBought: false })
    await arriveAs(page, player, paths.profile(), { origin: front.url })
    await page.getByRole('button', { name: t('details:AddTeam') }).click()
    await fillTeam(page, t)
    const lost = replyLost(server.url)
    front.bend(PROFILE_CALL, (incoming, reply, pass) => (incoming.method === 'PATCH' ? lost(incoming, reply, pass) : pass()))
    await saveIn(page, t).click()
    await expect(page.getByRole('alert')).toContainText(t('details:MayBeSaved'))
    front.mend()
    await page.getByLabel(t('details:TeamName')).fill(teamName)
    await saveIn(page, t).click()
    await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()
    const { teams } = await player.api.ask(users.get, { params: { id: player.userId } })
    expect(teams.map((team) => team.teamName)).toEqual([teamName])
    await expect(page.getByLabel(t('details:TeamName'))).toHaveCount(1)
  })
}

test('a save that arrives after a later one changes nothing', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile(), { origin: front.url })
  const [held, arrived] = [gate(), gate()]
  let isFirst = true
  front.bend(PROFILE_CALL, (incoming, _reply, pass) => {
    if (incoming.method !== 'PATCH' || !isFirst) return pass()
    isFirst = false
    const { authorization = '', 'content-type': type = '' } = incoming.headers
    // the page is gone by then
    void Promise.all([text(incoming), held.opened]).then(async ([body]) => {
      const late = await fetch(`${server.url}${incoming.url}`, { method: 'PATCH', headers: { authorization, 'content-type': type }, body })
      expect(late.status).toBe(409)
      arrived.open()
    })
  })
  await firstNameIn(page, t).fill('Zoe')
  const sent = page.waitForRequest((one) => one.method() === 'PATCH')
  await saveIn(page, t).click()
  await sent
  await page.reload()
  await firstNameIn(page, t).fill('Zoey')
  await saveIn(page, t).click()
  await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()
  held.open()
  await arrived.opened
  expect(await player.api.ask(users.get, { params: { id: player.userId } })).toMatchObject({ firstName: 'Zoey' })
})

test('a field that is put back while a save is under way stays so, also after a reload', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile(), { origin: front.url })
  const never = gate()
  const replyLate = firstReplyLate(server.url, never.opened)
  front.bend(PROFILE_CALL, (incoming, reply, pass) => (incoming.method === 'PATCH' ? replyLate(incoming, reply, pass) : pass()))
  await firstNameIn(page, t).fill('Zoe')
  await saveIn(page, t).click()
  const params = { id: player.userId }
  await expect.poll(async () => (await player.api.ask(users.get, { params })).firstName).toBe('Zoe')
  await firstNameIn(page, t).fill('Maya')
  await page.reload()
  await expect(page.getByText(t('details:DraftRestored'))).toBeVisible()
  await expect(firstNameIn(page, t)).toHaveValue('Maya')
  await saveIn(page, t).click()
  await expect(page.getByText(t('details:ProfileSaved'))).toBeVisible()
  expect(await player.api.ask(users.get, { params })).toMatchObject({ firstName: 'Maya' })
  never.open()
})

test('a refusal that arrives late is not shown at a field that was changed meanwhile', async ({ page, t, server, front }) => {
  await arriveAs(page, await newPlayer(server.url, { hasBought: false }), paths.profile(), { origin: front.url })
  const late = gate()
  const refused = replyWith(400, { ...refusal('-'), fields: { firstName: NOT_THIS, lastName: NOT_THIS } })
  front.bend(PROFILE_CALL, (incoming, reply, pass) =>
    incoming.method === 'PATCH' ? void late.opened.then(() => refused(incoming, reply, pass)) : pass(),
  )
  await firstNameIn(page, t).fill('Zoe')
  await saveIn(page, t).click()
  await lastNameIn(page, t).fill('Berg')
  late.open()
  await expect(firstNameIn(page, t)).toHaveAccessibleDescription(NOT_THIS)
  await expect(lastNameIn(page, t)).not.toHaveAttribute('aria-invalid', 'true')
  await expect(lastNameIn(page, t)).toBeFocused()
})
