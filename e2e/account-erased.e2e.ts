import type { Page } from '@playwright/test'
import { ERASED_READ_MS } from '#app/constants.ts'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { users } from '#contract/users.ts'
import { usersForOperator } from '#contract/users.operator.ts'
import { answersOf, Api, erase, newAddress, newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { newCoach } from './support/coach.ts'
import { refuseWith, replyWith } from './support/front.ts'
import {
  arriveAs,
  askForCode,
  expect,
  expectAccessible,
  goOffline,
  login,
  typeCode,
  untilWorkerIsThere,
  workerTest,
} from './support/journey.ts'
import { speak } from './support/look.ts'
import { answerAll } from './support/questionnaire.ts'
import { expectScreen } from './support/screens.ts'
import { startOf, wordsOf } from './support/words.ts'

/** A device learns that its account was erased or closed elsewhere, and says so. SESSION-22 */

/** Everything that the browser stores, as text. */
async function storedHere(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const found: unknown[] = [{ ...localStorage }, { ...sessionStorage }]
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name)
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error ?? new Error('not opened')))
      })
      for (const store of database.objectStoreNames) {
        const request = database.transaction(store).objectStore(store).getAll()
        found.push(await new Promise((resolve) => request.addEventListener('success', () => resolve(request.result))))
      }
      database.close()
    }
    return JSON.stringify(found)
  })
}

/** As if this device had been asked about the accounts that were left on it a day ago. */
async function aDayLater(page: Page): Promise<void> {
  await page.evaluate(() => {
    const asked = localStorage.getItem('leftAccounts') ?? ''
    localStorage.setItem('leftAccounts', asked.replaceAll(/"askedAt":\d+/g, '"askedAt":1'))
  })
}

workerTest(
  'an account erased while its device was offline: all that was stored goes, and that is said once',
  async ({ page, t, api, server }) => {
    const player = await newPlayer(server.url)
    const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
    await arriveAs(page, player, paths.test(player.instanceId))
    await untilWorkerIsThere(page)
    await answerAll(page, t, script.slice(0, 2))
    await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
    await goOffline(page, t)
    await answerAll(page, t, script.slice(2, 5))
    await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: 3 }))).toBeVisible()
    expect(await storedHere(page)).toContain(player.email)

    await erase(server, player)
    await page.context().setOffline(false)
    await expectScreen(page, t, 'login', paths.login(), { timeout: 30_000 })
    const said = page.getByText(t('shell:AccountErasedUnsent', { count: 3 }))
    await expect(said).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText(t('shell:SessionEnded'))).toBeHidden()
    await expectAccessible(page, 'an erased account')
    for (const gone of [player.userId, player.email, player.instanceId]) expect(await storedHere(page)).not.toContain(gone)

    // the phone was in a pocket: it is still said, and nothing is asked again
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('account-state') && asked.push(request.url()))
    await page.reload()
    await expect(said).toBeVisible()
    await speak(page, 'fr')
    await expect(page.getByText(wordsOf('fr')('shell:AccountErasedUnsent', { count: 3 }))).toBeVisible()
    await speak(page, 'en')
    // whoever has had the time to read it, and goes on, does not read it again
    const since = await page.evaluate(() => performance.now())
    await expect.poll(() => page.evaluate(() => performance.now())).toBeGreaterThan(since + ERASED_READ_MS)
    await askForCode(page, t, player.email)
    await typeCode(page, t, await api.code(player.email))
    await expectScreen(page, t, 'home', paths.home())
    await page.goto(paths.device())
    await expect(page.getByText(t('device:WaitingNothing'))).toBeVisible()
    await expect(said).toBeHidden()
    expect(asked).toEqual([])
  },
)

workerTest('a tab that learns of it last leads nobody to a screen of the erased account', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.home())
  await untilWorkerIsThere(page)
  const frozen = await page.context().newPage()
  // a browser freezes a tab in the background, and what other tabs store reaches it later
  await frozen.addInitScript(() => {
    addEventListener('storage', (event) => sessionStorage.getItem('isFrozen') !== null && event.stopImmediatePropagation(), true)
  })
  await frozen.goto(paths.test(player.instanceId))
  await expectScreen(frozen, t, 'test', paths.test(player.instanceId))
  await frozen.route('**/*', (route) => route.abort())
  await frozen.evaluate(() => sessionStorage.setItem('isFrozen', ''))
  await page.bringToFront()
  await erase(server, player)
  await page.reload()
  await expectScreen(page, t, 'login', paths.login(), { timeout: 30_000 })
  await expect(page.getByText(t('shell:AccountErased'))).toBeVisible({ timeout: 30_000 })
  expect(await storedHere(page)).not.toContain(player.instanceId)

  await frozen.evaluate(() => {
    sessionStorage.removeItem('isFrozen')
    dispatchEvent(new StorageEvent('storage', { key: 'accessToken' }))
  })
  await expectScreen(frozen, t, 'login', paths.login())
  expect(await storedHere(page)).not.toContain(player.instanceId)
})

workerTest(
  'a tab that the browser had discarded, and that loads after the erasure, leads nobody to its screen',
  async ({ page, t, server }) => {
    const player = await newPlayer(server.url)
    await arriveAs(page, player, paths.home())
    await untilWorkerIsThere(page)
    const discarded = await page.context().newPage()
    await discarded.goto(paths.test(player.instanceId))
    await expectScreen(discarded, t, 'test', paths.test(player.instanceId))
    // its entry of the history stays with the browser
    await discarded.goto('about:blank')
    await page.bringToFront()
    await erase(server, player)
    await page.reload()
    await expectScreen(page, t, 'login', paths.login(), { timeout: 30_000 })
    await expect(page.getByText(t('shell:AccountErased'))).toBeVisible({ timeout: 30_000 })

    await discarded.goBack()
    await expectScreen(discarded, t, 'login', paths.login())
    expect(await storedHere(discarded)).not.toContain(player.instanceId)
  },
)

workerTest(
  'on a tablet of several people the others keep what is theirs, and read on their device screen what went',
  async ({ page, t, api, server }) => {
    const player = await newPlayer(server.url)
    const coach = await newCoach(server.url)
    const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
    await arriveAs(page, player, paths.test(player.instanceId))
    await untilWorkerIsThere(page)
    await goOffline(page, t)
    await answerAll(page, t, script.slice(0, 1))
    await page.getByRole('button', { name: t('assessment:TestSaveAndExit') }).click()
    await page.getByRole('button', { name: t('shell:MenuSignOut') }).click()
    await page.getByRole('button', { name: t('leaving:KeepAndSignOut') }).click()
    await expectScreen(page, t, 'login', paths.login())
    await page.context().setOffline(false)
    await login(page, t, api, coach.email)
    await erase(server, player)
    expect(await storedHere(page)).toContain(player.instanceId)
    await aDayLater(page)
    await page.reload()
    await expect.poll(() => storedHere(page), { timeout: 30_000 }).not.toContain(player.userId)
    expect(await storedHere(page)).toContain(coach.userId)
    await page.getByRole('link', { name: t('shell:MenuDevice'), exact: true }).click()
    await expect(page.getByText(t('shell:AccountErasedUnsent', { count: 1 }))).toBeVisible()
  },
)

workerTest(
  'an account that its player closed on another device says so here, and sends what was kept once it is open again',
  async ({ page, t, api, server }) => {
    const player = await newPlayer(server.url)
    const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
    await arriveAs(page, player, paths.test(player.instanceId))
    await untilWorkerIsThere(page)
    await goOffline(page, t)
    await answerAll(page, t, script.slice(0, 1))
    const { session } = await player.api.ask(users.deactivateCode, { params: { id: player.userId } })
    await player.api.ask(users.deactivate, { params: { id: player.userId }, body: { session, otp: await api.code(player.email) } })
    await page.context().setOffline(false)
    await expectScreen(page, t, 'login', paths.login(), { timeout: 30_000 })
    await expect(page.getByText(t('shell:AccountClosedElsewhere'))).toBeVisible({ timeout: 30_000 })
    expect(await storedHere(page)).toContain(player.instanceId)
    // whoever looks at what waits here is not told that signing in would send it
    await page.goto(paths.device())
    await expect(page.getByText(t('device:WaitsForClosed'))).toBeVisible()
    await expect(page.getByText(t('device:WaitsForSignIn'))).toBeHidden()
    await expectAccessible(page, 'a closed account, as a guest')
    await askForCode(page, t, player.email)
    await typeCode(page, t, await api.code(player.email))
    await expect(page.getByText(t('errors:ACCOUNT_CLOSED')).first()).toBeVisible()

    const operator = new Api(server.url, await server.operatorKey())
    await operator.ask(usersForOperator.create, { body: { email: player.email, userTypeCode: 'player' } })
    // to where the guest wanted to look
    await page.goto(paths.login())
    await askForCode(page, t, player.email)
    await typeCode(page, t, await api.code(player.email))
    await expect(page.getByText(t('device:WaitingNothing'))).toBeVisible({ timeout: 30_000 })
    const again = { ...player, api: new Api(server.url, (await page.evaluate(() => localStorage.getItem('accessToken'))) ?? '') }
    await expect.poll(() => storedAnswers(again, player.instanceId), { timeout: 30_000 }).toEqual(answersOf(script.slice(0, 1)))
    expect(await page.evaluate(() => localStorage.getItem('leftAccounts'))).toBeNull()
  },
)

workerTest(
  'a server put back to before the account: whoever signs up again is told that the answers wait, and may discard them',
  async ({ page, t, api, server, front }) => {
    const player = await newPlayer(server.url)
    const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
    await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
    await answerAll(page, t, script.slice(0, 2))
    await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
    // else this page may make a call, and say it before the next one opens
    await page.goto('about:blank')
    front.bend(/^\/api\/(user\/)?auth\/refresh/, refuseWith(401, 'INVALID_TOKEN'))
    front.bend(new RegExp(`^/api/.*${player.instanceId}`), refuseWith(401, 'INVALID_TOKEN'))
    front.bend(/^\/api\/user\/auth\/account-state/, replyWith(200, { state: 'missing', userId: player.userId }))
    await page.goto(front.url + paths.test(player.instanceId))
    await expect(page.getByText(t('shell:SessionEnded'))).toBeVisible({ timeout: 30_000 })
    front.mend()
    front.bend(/^\/api\/user\/auth\/account-state/, replyWith(200, { state: 'missing', userId: player.userId }))
    // their new account has another id; here, another address
    const email = newAddress()
    await askForCode(page, t, email)
    await typeCode(page, t, await api.code(email))
    const strip = page.getByText(t('shell:MissingHere', { count: 2 }))
    await strip.getByRole('link', { name: t('shell:SeeWhatWaits') }).click()
    await expect(page.getByText(t('device:WaitsForMissing', { count: 2 }))).toBeVisible()
    await expect(page.getByText(t('device:WaitingNothing'))).toBeHidden()
    await expectAccessible(page, 'answers of a missing account')
    await page.getByRole('button', { name: t('device:MissingDiscard') }).click()
    const dialog = page.getByRole('dialog', { name: t('device:MissingDiscardTitle') })
    await expect(dialog).toContainText(t('device:MissingDiscardText', { count: 2 }))
    await expectAccessible(page, 'discarding them')
    await dialog.getByRole('button', { name: t('device:DiscardConfirm', { count: 2 }) }).click()
    await expect(page.getByText(t('device:WaitingNothing'))).toBeVisible()
    await expect(strip).toBeHidden()
    expect(await storedHere(page)).not.toContain(player.instanceId)
  },
)
