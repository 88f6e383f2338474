import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { newPlayer } from './support/api.ts'
import { arriveAs, expect, signInHere, signOut, test } from './support/journey.ts'
import { expectScreen } from './support/screens.ts'
import { openSlowly } from './support/slow-tab.ts'

/** A tab that is still starting, or suspended, while its person signs out in another one. SESSION-16, LOGIN-10 */

/** Everything that the origin stores on this device, as text. */
async function stored(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const found: unknown[] = [{ ...localStorage }, { ...sessionStorage }]
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name)
        opening.addEventListener('success', () => resolve(opening.result))
        opening.addEventListener('error', () => reject(new Error(`${name} cannot be opened`)))
      })
      for (const store of database.objectStoreNames) {
        const reading = database.transaction(store).objectStore(store).getAll()
        found.push(await new Promise((resolve) => reading.addEventListener('success', () => resolve(reading.result))))
      }
      database.close()
    }
    return JSON.stringify(found)
  })
}

/** Runs in the page before its scripts: as in a suspended tab, nothing of what other tabs do is heard until it is awake. */
function hearNothing() {
  const ignore = (event: Event) => {
    if (!('isAwake' in globalThis)) event.stopImmediatePropagation()
  }
  addEventListener('storage', ignore, { capture: true })
  const Channel = BroadcastChannel
  globalThis.BroadcastChannel = class extends Channel {
    constructor(name: string) {
      super(name)
      this.addEventListener('message', ignore)
    }
  }
}

test('the first questions, whose app arrives after the sign-out, leave nothing on the device', async ({ page, context, t, server }) => {
  const player = await newPlayer(server.url, { questions: 2 })
  await arriveAs(page, player, paths.home())
  const { tab, open } = await openSlowly(context, server.url + paths.test(player.instanceId))
  await expect(tab.getByRole('radio').first()).toBeVisible()
  await page.bringToFront()
  await signOut(page, t)
  await expectScreen(page, t, 'login', server.url + paths.login())
  await tab.bringToFront()
  await expect(tab.getByRole('radio')).toHaveCount(0)
  open()
  await expectScreen(tab, t, 'login', server.url + paths.login())
  await tab.reload()
  await expectScreen(tab, t, 'login', server.url + paths.login())
  expect(await stored(tab)).not.toMatch(new RegExp(`${player.userId}|${player.email}|${player.instanceId}`))
})

for (const [screen, pathOf] of [
  ['results', paths.results],
  ['questionnaire', paths.test],
] as const) {
  test(`a tab that began to open the ${screen} before the sign-out leads the next person home`, async ({
    page,
    context,
    t,
    api,
    server,
  }) => {
    const [player, next] = [await newPlayer(server.url), await newPlayer(server.url)]
    await arriveAs(page, player, paths.home())
    const { tab, open } = await openSlowly(context, server.url + pathOf(player.instanceId))
    await expect.poll(() => tab.evaluate(() => history.state !== null || document.readyState === 'complete')).toBe(true)
    await page.bringToFront()
    await signOut(page, t)
    await expectScreen(page, t, 'login', server.url + paths.login())
    open()
    await tab.bringToFront()
    await signInHere(tab, t, api, next.email)
    await expectScreen(tab, t, 'home', server.url + paths.home())
  })
}

const wake = (tab: Page) =>
  tab.evaluate(() => {
    Object.assign(globalThis, { isAwake: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })

test('a tab suspended while its person signs out stores nothing of theirs when it wakes', async ({ page, context, t, server }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.home())
  const tab = await context.newPage()
  await tab.addInitScript(hearNothing)
  await tab.goto(server.url + paths.test(player.instanceId))
  await expectScreen(tab, t, 'test', server.url + paths.test(player.instanceId))
  await tab.evaluate((userId) => sessionStorage.setItem('lastCheckout', `/checkout/${userId}`), player.userId)
  await signOut(page, t)
  await expectScreen(page, t, 'login', server.url + paths.login())
  await wake(tab)
  await expectScreen(tab, t, 'login', server.url + paths.login())
  expect(await stored(tab)).not.toMatch(new RegExp(`${player.userId}|${player.email}|${player.instanceId}`))
})

for (const isGoingBack of [true, false]) {
  test(`whoever has signed in meanwhile and ${isGoingBack ? 'goes back to' : 'finds a tab that still opens'} the former person's screen comes home`, async ({
    page,
    context,
    t,
    api,
    server,
  }) => {
    const [player, next] = [await newPlayer(server.url), await newPlayer(server.url)]
    await arriveAs(page, player, paths.home())
    const brief = server.url + paths.brief(player.instanceId)
    const { tab, open } = await openSlowly(context, brief)
    if (isGoingBack) {
      open()
      await expectScreen(tab, t, 'brief', brief)
      await tab.goto('about:blank')
    }
    await page.bringToFront()
    await signOut(page, t)
    await signInHere(page, t, api, next.email)
    await expectScreen(page, t, 'home', server.url + paths.home())
    await tab.bringToFront()
    if (isGoingBack) await tab.goBack()
    open()
    await expectScreen(tab, t, 'home', server.url + paths.home())
    await expect(tab.getByText(next.email).first()).toBeVisible()
  })
}

test('a tab suspended while one person signs out and the next one in leaves the screen of the first', async ({
  page,
  context,
  t,
  api,
  server,
}) => {
  const [player, next] = [await newPlayer(server.url), await newPlayer(server.url)]
  await arriveAs(page, player, paths.home())
  const tab = await context.newPage()
  await tab.addInitScript(hearNothing)
  await tab.goto(server.url + paths.profile())
  await expect(tab.getByLabel(t('details:FirstName'))).toBeVisible()
  await signOut(page, t)
  await signInHere(page, t, api, next.email)
  await expectScreen(page, t, 'home', server.url + paths.home())
  await wake(tab)
  await expectScreen(tab, t, 'home', server.url + paths.home())
  await expect(tab.getByText(next.email).first()).toBeVisible()
})
