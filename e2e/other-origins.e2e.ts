import { paths } from '#app/paths.ts'
import { newPlayer } from './support/api.ts'
import { arriveAs, expect, goOffline, untilWorkerIsThere, workerTest as test } from './support/journey.ts'
import { expectScreen } from './support/screens.ts'
import { ProductServer } from './support/server.ts'

/** A server whose settings name another origin that serves the portal, too: each of its files has `Vary: Origin`. OPERATE-13 */

let varying: ProductServer

test.beforeAll(async () => {
  varying = await ProductServer.start({ settings: { PORTAL_ORIGINS: 'https://portal.example.com' } })
})
test.afterAll(() => varying.throwAway())

test('its own portal opens each screen without a line, once it is ready for no signal', async ({ page, t }) => {
  const player = await newPlayer(varying.url)
  await arriveAs(page, player, paths.home(), { origin: varying.url })
  await untilWorkerIsThere(page)
  await expect(page.getByText(t('player:ReadyForNoSignal'), { exact: true })).toBeVisible()
  await goOffline(page, t)
  for (const [screen, path] of [
    ['profile', paths.profile()],
    ['device', paths.device()],
    ['test', paths.test(player.instanceId)],
  ] as const) {
    await page.goto(varying.url + path)
    await expectScreen(page, t, screen, varying.url + path)
  }
})
