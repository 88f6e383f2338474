import { paths } from '#app/paths.ts'
import { newPlayer } from './support/api.ts'
import { newCoach } from './support/coach.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { expectScreen } from './support/screens.ts'

test('a player is led back from the coaches’ screens, and a coach from the players’', async ({ page, t, server }) => {
  const wrongWay = async (path: string, title: string) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: title }), path).toBeVisible()
    await page.getByRole('link', { name: t('shell:ReturnToDashboard') }).click()
    await expectScreen(page, t, 'home', paths.home())
  }
  await arriveAs(page, await newPlayer(server.url), paths.home())
  const coaches = [paths.coachConfirmDetails(), paths.purchaseToken(), paths.purchaseTokenPayment(3), paths.tokenPurchaseReturn('cs_test')]
  for (const path of [...coaches, paths.tokenPurchaseSuccessful()]) await wrongWay(path, t('parts:ForCoaches'))
  await arriveAs(page, await newCoach(server.url), paths.home())
  const players = [paths.checkout('touchline-profile'), paths.payment('touchline-profile'), paths.directPurchaseReturn('cs_test')]
  for (const path of players) await wrongWay(path, t('parts:ForPlayers'))
  const instanceId = crypto.randomUUID()
  for (const screen of ['confirmDetails', 'brief', 'test', 'results'] as const)
    await wrongWay(paths[screen](instanceId), t('parts:ForPlayers'))
})
