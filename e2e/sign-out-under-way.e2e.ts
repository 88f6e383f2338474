import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { auth } from '#contract/auth.ts'
import { answersOf, newPlayer, signInByApi, storedAnswers } from './support/api.ts'
import { cut, type Front } from './support/front.ts'
import { arriveAs, expect, gate, goOffline, holdCalls, login, signInHere, signOut, test } from './support/journey.ts'
import { expectInert } from './support/inert.ts'
import { answersOnDevice, holdAnswers, leaveUnsent, LOGOUT } from './support/leaving.ts'
import { answerAll } from './support/questionnaire.ts'
import { SAVING, watchRequests } from './support/requests.ts'
import { expectScreen } from './support/screens.ts'
import { begunPlayer } from './support/this-device.ts'
import { toast } from './support/tokens-panel.ts'
import { startOf, type Words } from './support/words.ts'

const REFRESH = /\/auth\/refresh$/

/** While the sign-out dialog acts, nothing else in it does, and staying, going back and other tabs are heard. SESSION-17 */

test('a sign-out that is under way does not offer to stay', async ({ page, t, server, front }) => {
  await leaveUnsent(page, t, server, front, 1)
  const dialog = page.getByRole('dialog')
  const finish = await holdAnswers(page)
  await dialog.getByRole('button', { name: t('leaving:KeepAndSignOut') }).click()
  for (const name of ['Discard', 'SendNow'] as const)
    await expect(dialog.getByRole('button', { name: t(`leaving:${name}`) })).toBeDisabled()
  await expectInert(dialog.getByRole('button', { name: t('leaving:StaySignedIn') }))
  await finish()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
})

test('a reload while the device does not respond finishes the sign-out, and discards what was to be discarded', async ({
  page,
  t,
  server,
  front,
}) => {
  const { player } = await leaveUnsent(page, t, server, front, 1)
  const finish = await holdAnswers(page)
  await discardInVain(page, t)
  await page.reload()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  await expect(page.getByText(t('shell:SessionEnded'))).toBeHidden()
  await finish()
  await page.reload()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  await expect.poll(() => answersOnDevice(page)).toBe(0)
  expect(await storedAnswers(await signInByApi(server.url, player.email), player.instanceId)).toEqual({})
})

test('new tokens that come while the device does not respond do not undo the sign-out', async ({ page, t, server, front }) => {
  front.bend(LOGOUT, cut)
  const { open, opened } = gate()
  front.bend(REFRESH, (_, __, pass) => void opened.then(pass))
  // due, and not so soon that the screen is covered (SHELL-3)
  await leaveUnsent(page, t, server, front, 1, 8 * 60)
  const finish = await holdAnswers(page)
  await discardInVain(page, t)
  const refreshToken = () => page.evaluate(() => localStorage.getItem('refreshToken'))
  const before = await refreshToken()
  open()
  await expect.poll(refreshToken).not.toBe(before)
  await page.reload()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  await finish()
  await page.reload()
  await expect.poll(() => answersOnDevice(page)).toBe(0)
})

test('another tab finishes the sign-out of one that was closed, and does not send what was discarded', async ({
  page,
  context,
  t,
  server,
  front,
}) => {
  front.bend(LOGOUT, cut)
  const { player } = await leaveUnsent(page, t, server, front, 1)
  const other = await context.newPage()
  await other.goto(front.url + paths.home())
  await expect(other.getByText(t('player:SavedOnDevice', { count: 1 }))).toBeVisible()
  const finish = await holdAnswers(page)
  await page.bringToFront()
  await discardInVain(page, t)
  front.mend()
  await other.evaluate(() => dispatchEvent(new Event('online')))
  await page.close()
  await expect(other.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  await expect(other.getByText(t('shell:SessionEnded'))).toBeHidden()
  await finish()
  await expect.poll(() => answersOnDevice(other)).toBe(0)
  expect(await storedAnswers(await signInByApi(server.url, player.email), player.instanceId)).toEqual({})
})

test('a sign-out does not wait for the server, which hears of it also if the page is left', async ({ page, t, server, front }) => {
  const { player } = await leaveUnsent(page, t, server, front, 1)
  await page.getByRole('button', { name: t('leaving:Discard') }).click()
  await page.getByRole('dialog', { name: t('leaving:DiscardTitle', { count: 1 }) }).waitFor()
  const { open, opened } = gate()
  let isCut = false
  front.bend(LOGOUT, (_, reply, pass) => {
    reply.on('close', () => (isCut = true))
    void opened.then(pass)
  })
  await page.getByRole('button', { name: t('leaving:DiscardAndSignOut') }).click()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  expect(await answersOnDevice(page)).toBe(0)
  await page.reload()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  expect(isCut).toBe(false)
  open()
  const sessions = () => player.api.ask(auth.sessions, { params: { id: player.userId } }).then(() => 'listed', String)
  await expect.poll(sessions).toContain('401')
})

test('a refresh of the tokens whose reply comes after the sign-out signs nobody in, and leaves the next person signed in', async ({
  page,
  t,
  api,
  server,
}) => {
  const [ana, ben] = [await newPlayer(server.url), await newPlayer(server.url)]
  const { open, opened } = gate()
  const { open: noteAnswered, opened: answered } = gate()
  await page.context().route(REFRESH, async (route) => {
    const response = await route.fetch()
    noteAnswered()
    await opened
    await route.fulfill({ response })
  })
  // due, and not so soon that the screen is covered (SHELL-3)
  await arriveAs(page, { ...ana, expiresIn: 8 * 60 }, paths.home())
  const other = await page.context().newPage()
  await other.goto(paths.login())
  await answered
  await signOut(page, t)
  await expectScreen(page, t, 'login', paths.login())
  await login(other, t, api, ben.email)
  const late = page.waitForResponse(REFRESH)
  open()
  await (await late).finished()
  for (const tab of [page, other]) {
    await tab.reload()
    await expect(tab.getByText(ben.email).first()).toBeVisible()
  }
})

test('staying signed in while unsent answers are sent ends nothing, and a send under way begins nothing else', async ({
  page,
  t,
  server,
  front,
}) => {
  const leaving = await leaveUnsent(page, t, server, front, 1)
  const dialog = page.getByRole('dialog', { name: t('leaving:UnsentTitle', { count: 1 }) })
  // what is unsent was counted before it can be sent
  await expect(dialog).toBeVisible()
  const signOuts = watchRequests(page, LOGOUT)
  const open = await holdCalls(page, SAVING)
  front.mend()
  await dialog.getByRole('button', { name: t('leaving:SendNow') }).click()
  for (const name of ['KeepAndSignOut', 'Discard', 'SendNow'] as const) {
    await expectInert(dialog.getByRole('button', { name: t(`leaving:${name}`) }))
  }
  await dialog.getByRole('button', { name: t('leaving:StaySignedIn') }).click()
  await expect(dialog).toBeHidden()
  open()
  await expectSentAndSignedIn(page, t, front, leaving)
  expect(signOuts).toEqual([])
})

test('going back while unsent answers are sent ends nothing', async ({ page, t, server, front }) => {
  const { player, script } = await leaveUnsent(page, t, server, front, 1)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: t('leaving:StaySignedIn') }).click()
  await page.getByRole('link', { name: startOf(t('player:GoToAssessmentOf', { name: '' })) }).click()
  await page.getByRole('link', { name: t('brief:BriefReturnLater') }).click()
  await signOut(page, t)
  await expect(dialog.getByText(t('leaving:UnsentTitle', { count: 1 }))).toBeVisible()
  const signOuts = watchRequests(page, LOGOUT)
  const open = await holdCalls(page, SAVING)
  front.mend()
  await dialog.getByRole('button', { name: t('leaving:SendNow') }).click()
  await expect(dialog.getByRole('button', { name: t('leaving:SendNow') })).toHaveAttribute('aria-busy', 'true')
  await page.goBack()
  await expectScreen(page, t, 'brief', front.url + paths.brief(player.instanceId))
  open()
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 1)))
  await page.getByRole('link', { name: t('brief:BriefReturnLater') }).click()
  await expectScreen(page, t, 'home', front.url + paths.home())
  await expect(page.getByText(t('player:SavedOnDevice', { count: 1 }))).toBeHidden()
  expect(signOuts).toEqual([])
})

test('staying signed in while the connection is checked sends and ends nothing', async ({ page, t, server, front }) => {
  const leaving = await leaveUnsent(page, t, server, front, 1)
  const dialog = page.getByRole('dialog')
  // its words are fetched when it is shown
  await expect(dialog).toBeVisible()
  await goOffline(page, t)
  const signOuts = watchRequests(page, LOGOUT)
  const open = await holdCalls(page, /\/api\/health$/)
  front.mend()
  await page.context().setOffline(false)
  const send = dialog.getByRole('button', { name: t('leaving:SendNow') })
  await send.click({ force: true })
  await expect(send).toHaveAttribute('aria-busy', 'true')
  await dialog.getByRole('button', { name: t('leaving:StaySignedIn') }).click()
  await expect(dialog).toBeHidden()
  open()
  // the connection is back, so it is sent without being asked for
  await expectSentAndSignedIn(page, t, front, leaving)
  expect(signOuts).toEqual([])
})

test('what is answered in another tab meanwhile is named before it is discarded', async ({ page, t, server, front }) => {
  const { player, script } = await leaveUnsent(page, t, server, front, 1)
  await page.getByRole('button', { name: t('leaving:Discard') }).click()
  await expect(page.getByRole('dialog', { name: t('leaving:DiscardTitle', { count: 1 }) })).toBeVisible()
  const other = await page.context().newPage()
  await other.goto(front.url + paths.test(player.instanceId))
  await answerAll(other, t, script.slice(1, 3))
  await expect(other.getByText(t('assessment:TestSavedOnDevice', { count: 3 }))).toBeVisible()
  await page.getByRole('button', { name: t('leaving:DiscardAndSignOut') }).click()
  const dialog = page.getByRole('dialog', { name: t('leaving:UnsentTitle', { count: 3 }) })
  await expect(dialog.getByRole('alert')).toHaveText(t('leaving:MoreUnsent'))
  expect(await answersOnDevice(page)).toBeGreaterThan(0)
  await dialog.getByRole('button', { name: t('leaving:Discard') }).click()
  await expect(page.getByRole('dialog', { name: t('leaving:DiscardTitle', { count: 3 }) })).toBeVisible()
  await page.getByRole('button', { name: t('leaving:DiscardAndSignOut') }).click()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  expect(await answersOnDevice(page)).toBe(0)
})

/** Signs out and discards, while a device does not respond whose answers are held. */
async function discardInVain(page: Page, t: Words): Promise<void> {
  const discard = async () => {
    await page.getByRole('button', { name: t('leaving:Discard') }).click()
    await page.getByRole('button', { name: t('leaving:DiscardAndSignOut') }).click()
  }
  await discard()
  // what is unsent cannot be counted any more
  await page.getByRole('button', { name: t('leaving:LookAgain') }).waitFor()
  await discard()
  await expect(page.getByRole('button', { name: t('leaving:DiscardAndSignOut') })).toHaveAttribute('aria-busy', 'true')
}

async function expectSentAndSignedIn(page: Page, t: Words, front: Front, { player, script }: Awaited<ReturnType<typeof leaveUnsent>>) {
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 1)))
  await expect(page.getByText(t('player:SavedOnDevice', { count: 1 }))).toBeHidden()
  await page.goto(front.url + paths.profile())
  await expect(page.getByText(player.email).first()).toBeVisible()
}

test('the outcome of a Submit is not told to the next person in that tab', async ({ page, context, t, server, front, api }) => {
  const { player, script } = await begunPlayer(server.url, 111)
  const next = await newPlayer(server.url)
  const { open, opened } = gate()
  front.bend(/\/complete/, (_, __, pass) => void opened.then(pass))
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await answerAll(page, t, script.slice(-1))
  const asked = page.waitForRequest(/\/complete/)
  await page.getByRole('button', { name: t('assessment:TestSubmit') }).click()
  await asked
  // opened before, it could have sent the Submit itself
  const other = await context.newPage()
  await other.goto(front.url + paths.home())
  await signOut(other, t)
  for (const _ of ['chosen', 'confirmed'])
    await other
      .getByRole('dialog')
      .getByRole('button', { name: t('leaving:LeaveUnsubmitted') })
      .click()
  await expect(other.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  await signInHere(other, t, api, next.email)
  await expect(page.getByText(next.email).first()).toBeVisible()
  const replied = page.waitForResponse(/\/complete/)
  open()
  await (await replied).finished()
  // whatever the reply led to is on screen before what is asked for later
  await page
    .getByRole('link', { name: t('shell:MenuAbout'), exact: true })
    .first()
    .click()
  await expectScreen(page, t, 'about', front.url + paths.about())
  await expect(toast(page, t('errors:NOT_COMPLETE'))).toBeHidden()
})
