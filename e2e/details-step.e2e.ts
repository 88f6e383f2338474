import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { users } from '#contract/users.ts'
import { newPlayer } from './support/api.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { firstNameIn, holdSaves, lastNameIn } from './support/profile-form.ts'
import { expectScreen } from './support/screens.ts'
import type { Words } from './support/words.ts'

/** The details as a step on the way to the brief or to paying, while their save is slow. BRIEF-1, BUY-1 */

async function saveFirstName(page: Page, t: Words): Promise<void> {
  await firstNameIn(page, t).fill('Zoe')
  await page.getByRole('button', { name: t('details:SaveAndContinue') }).click()
}

for (const { step, pathOf } of [
  { step: 'the brief', pathOf: paths.confirmDetails },
  { step: 'paying', pathOf: () => paths.checkout('touchline-profile') },
]) {
  test(`whoever has left the details before ${step} stays where they are when these are saved`, async ({ page, t, server, front }) => {
    const player = await newPlayer(server.url)
    await arriveAs(page, player, pathOf(player.instanceId), { origin: front.url })
    const save = holdSaves(front)
    await saveFirstName(page, t)
    await page.getByRole('banner').getByRole('link').first().click()
    await expectScreen(page, t, 'home', front.url + paths.home())
    const saved = page.waitForResponse((reply) => reply.request().method() === 'PATCH')
    save()
    await (await saved).finished()
    // the dashboard has read it again
    await expect(page.getByText('Zoe')).toBeVisible()
    await expectScreen(page, t, 'home', front.url + paths.home())
    expect(await player.api.ask(users.get, { params: { id: player.userId } })).toMatchObject({ firstName: 'Zoe' })
  })
}

test('whoever types on while the details are saved is not taken to the brief', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.confirmDetails(player.instanceId), { origin: front.url })
  const save = holdSaves(front)
  await saveFirstName(page, t)
  const lastName = lastNameIn(page, t)
  await lastName.fill('Berg')
  save()
  await expect(page.getByText(t('details:Unsaved'))).toBeVisible()
  await expect(page.getByRole('button', { name: t('details:SaveAndContinue') })).toBeVisible()
  await expect(lastName).toHaveValue('Berg')
  await page.getByRole('button', { name: t('details:SaveAndContinue') }).click()
  await expectScreen(page, t, 'brief', front.url + paths.brief(player.instanceId))
  expect(await player.api.ask(users.get, { params: { id: player.userId } })).toMatchObject({ firstName: 'Zoe', lastName: 'Berg' })
})
