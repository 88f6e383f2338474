import type { BrowserContext, Page } from '@playwright/test'
import { DEVICE_TIMEOUT_MS } from '#app/constants.ts'
import { paths } from '#app/paths.ts'
import { auth } from '#contract/auth.ts'
import { Api, newPlayer, responsesOf, signInByApi, storedAnswers } from './support/api.ts'
import { askToClose, closeWithCode } from './support/closing.ts'
import { cut } from './support/front.ts'
import { expect, gate, login, signInHere, signOut, test } from './support/journey.ts'
import {
  answersOnDevice,
  holdAnswers,
  holdSessionCopy,
  holdUp,
  holdUpAsItStores,
  leaveUnsent,
  LOGOUT,
  untilSignedOut,
} from './support/leaving.ts'
import { answerAll } from './support/questionnaire.ts'
import { expectScreen } from './support/screens.ts'
import type { Words } from './support/words.ts'

/** A page that is held up while it signs out: whoever signs in meanwhile, in another tab, stays signed in. SESSION-16 */

const seesLogin = (page: Page, t: Words) => expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()

async function signInAgain(page: Page, t: Words, api: Api, email: string): Promise<void> {
  await signInHere(page, t, api, email)
  await expect(page.getByText(email).first()).toBeVisible()
}

/** Another tab, in which the same person is signed in. */
async function openOther(context: BrowserContext, origin: string, email: string): Promise<Page> {
  const other = await context.newPage()
  await other.goto(origin + paths.home())
  await expect(other.getByText(email).first()).toBeVisible()
  return other
}

/** The copies in the database of the sign-in. */
async function copiedSignIns(page: Page): Promise<unknown[]> {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('touchline-session')
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(new Error('no database')))
    })
    const reading = database.transaction('copy').objectStore('copy').getAll('session')
    return new Promise<unknown[]>((resolve) => reading.addEventListener('success', () => resolve(reading.result)))
  })
}

async function expectSignedIn(page: Page, { userId, email, api }: { userId: string; email: string; api: Api }): Promise<void> {
  await page.reload()
  await expect(page.getByText(email).first()).toBeVisible()
  const bearer = (await page.evaluate(() => localStorage.getItem('accessToken'))) ?? ''
  await new Api(api.url, bearer).ask(auth.sessions, { params: { id: userId } })
}

test('a page frozen while the device does not respond does not sign out the next person', async ({
  page,
  context,
  t,
  api,
  server,
  front,
}) => {
  const next = await newPlayer(server.url)
  const { player } = await leaveUnsent(page, t, server, front, 1)
  const other = await openOther(context, front.url, player.email)
  const finish = await holdAnswers(page)
  await page.bringToFront()
  await page.getByRole('button', { name: t('leaving:KeepAndSignOut') }).click()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('pendingClearing'))).toContain(player.userId)
  const since = await page.evaluate(() => Date.now())
  const goOn = await holdUp(page)
  await other.bringToFront()
  await other.reload()
  await signInAgain(other, t, api, next.email)
  // its timers are due as soon as it goes on
  await expect.poll(() => other.evaluate(() => Date.now()), { timeout: 30_000 }).toBeGreaterThan(since + DEVICE_TIMEOUT_MS)
  await goOn()
  await finish()
  await untilSignedOut(other)
  await expectSignedIn(other, next)
  expect(await answersOnDevice(other)).toBe(1)
})

test('a page frozen while it discards does not discard what the same person answers after signing in again', async ({
  page,
  context,
  t,
  api,
  server,
  front,
}) => {
  const { player, script } = await leaveUnsent(page, t, server, front, 1)
  const other = await openOther(context, front.url, player.email)
  await page.bringToFront()
  await page.getByRole('button', { name: t('leaving:Discard') }).click()
  const discard = page.getByRole('button', { name: t('leaving:DiscardAndSignOut') })
  const goOn = await holdUpAsItStores(page, 'pendingClearing', () => discard.click())
  await other.bringToFront()
  await other.reload()
  await signInAgain(other, t, api, player.email)
  await other.goto(front.url + paths.test(player.instanceId))
  await answerAll(other, t, script.slice(1, 4))
  // what was discarded is gone: the other tab has finished the sign-out
  await expect.poll(() => answersOnDevice(other)).toBe(3)
  await goOn()
  await untilSignedOut(other)
  await expect(page.getByText(player.email).first()).toBeVisible()
  expect(await answersOnDevice(other)).toBe(3)
  await other.goto(front.url + paths.home())
  await expectSignedIn(other, player)
  // both tabs store, and send
  await page.goto(front.url + paths.test(player.instanceId))
  await answerAll(page, t, script.slice(4, 5))
  front.mend()
  const person = await signInByApi(server.url, player.email)
  const given = script.slice(1, 5).flatMap(responsesOf)
  await expect.poll(async () => Object.keys(await storedAnswers(person, player.instanceId))).toHaveLength(given.length)
})

test('a page frozen once it has removed the tokens does not sign out the next person', async ({ page, context, t, api, server }) => {
  const [player, next] = [await newPlayer(server.url), await newPlayer(server.url)]
  await login(page, t, api, player.email)
  const other = await openOther(context, server.url, player.email)
  const finish = await holdSessionCopy(page)
  await page.bringToFront()
  await signOut(page, t)
  await expect.poll(() => other.evaluate(() => localStorage.getItem('refreshToken'))).toBeNull()
  const goOn = await holdUp(page)
  await other.bringToFront()
  await signInAgain(other, t, api, next.email)
  await goOn()
  await finish()
  await untilSignedOut(other)
  await expectSignedIn(other, next)
})

test('a copy of the sign-in that could not be removed signs nobody in at the next start', async ({
  page,
  context,
  t,
  api,
  server,
  front,
}) => {
  const player = await newPlayer(server.url)
  front.bend(LOGOUT, cut)
  await page.goto(front.url + paths.login())
  await signInAgain(page, t, api, player.email)
  const finish = await holdSessionCopy(page)
  await page.bringToFront()
  await signOut(page, t)
  await seesLogin(page, t)
  await untilSignedOut(page)
  const next = await context.newPage()
  await page.close()
  await finish()
  await next.goto(front.url + paths.home())
  await expectScreen(next, t, 'login', front.url + paths.login())
  await expect(next.getByText(t('shell:SessionEnded'))).toBeHidden()
  await next.reload()
  await expectScreen(next, t, 'login', front.url + paths.login())
  await expect.poll(() => copiedSignIns(next)).toEqual([])
})

test('the late reply to closing an account does not sign out the next person', async ({ page, context, t, api, server, front }) => {
  const next = await newPlayer(server.url)
  const { player } = await leaveUnsent(page, t, server, front, 1)
  await page.getByRole('button', { name: t('leaving:StaySignedIn') }).click()
  const other = await openOther(context, front.url, player.email)
  await page.bringToFront()
  await page.goto(front.url + paths.profile())
  const { open, opened } = gate()
  const { open: noteClosed, opened: closed } = gate()
  await page.route(/\/deactivate$/, async (route) => {
    const response = await route.fetch()
    noteClosed()
    await opened
    await route.fulfill({ response })
  })
  await closeWithCode(await askToClose(page, t), t, () => api.code(player.email))
  await closed
  await other.bringToFront()
  await other.reload()
  await signInAgain(other, t, api, next.email)
  await expect.poll(() => answersOnDevice(other)).toBe(1)
  open()
  // what the closed account had here goes all the same
  await expect.poll(() => answersOnDevice(other)).toBe(0)
  await untilSignedOut(other)
  for (const tab of [page, other]) await expect(tab.getByText(t('shell:AccountClosed'))).toBeHidden()
  await expectSignedIn(other, next)
})
