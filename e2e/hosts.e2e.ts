import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { newPlayer } from './support/api.ts'
import { arriveAs, expect, goOffline, untilWorkerIsThere, workerTest as test } from './support/journey.ts'
import { expectScreen } from './support/screens.ts'
import { ProductServer } from './support/server.ts'
import type { Words } from './support/words.ts'

/** What a server's settings, or something before it, make of the app's files. */

let varying: ProductServer

test.beforeAll(async () => {
  varying = await ProductServer.start({ settings: { PORTAL_ORIGINS: 'https://portal.example.com' } })
})
test.afterAll(() => varying.throwAway())

/** Opens the dashboard there, waits until it says that the app is ready, and opens other screens without a line. */
async function expectReady(
  page: Page,
  t: Words,
  { player, origin }: { player: Awaited<ReturnType<typeof newPlayer>>; origin: string },
): Promise<void> {
  await arriveAs(page, player, paths.home(), { origin })
  await untilWorkerIsThere(page)
  await expect(page.getByText(t('player:ReadyForNoSignal'), { exact: true })).toBeVisible({ timeout: 30_000 })
  await goOffline(page, t)
  for (const [screen, path] of [
    ['profile', paths.profile()],
    ['device', paths.device()],
    ['test', paths.test(player.instanceId)],
  ] as const) {
    await page.goto(origin + path)
    await expectScreen(page, t, screen, origin + path)
  }
}

// each file has `Vary: Origin` (OPERATE-13)
test('a portal whose server allows another origin, too, is ready for no signal', async ({ page, t }) => {
  await expectReady(page, t, { player: await newPlayer(varying.url), origin: varying.url })
})

test('so is one behind a host that redirects /index.html to /, and a proxy that adds a comment after the page', async ({
  page,
  t,
  server,
  front,
}) => {
  front.bend(/^\/(?!api|assets|media|sw\.js|icons|manifest)/, (_, reply) => {
    void fetch(server.url).then(async (response) =>
      reply.writeHead(200, { 'content-type': 'text/html' }).end(`${await response.text()}\n<!-- sent by edge 7 -->\n`),
    )
  })
  // and lists as if they were for this browser alone
  front.bend(/^\/(?:api\/reference-data|media\/cities)/, (_, reply, pass) => {
    reply.setHeader('vary', 'Accept, User-Agent')
    pass()
  })
  front.bend(/^\/index\.html/, (_, reply) => reply.writeHead(301, { location: '/' }).end())
  await expectReady(page, t, { player: await newPlayer(server.url), origin: front.url })
})
