import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { answersOf, newAddress, newPlayer, scriptOf, signInByApi, storedAnswers } from './support/api.ts'
import { newCoach } from './support/coach.ts'
import { cut, refuseWith, type Front } from './support/front.ts'
import {
  arriveAs,
  expect,
  expectAccessible,
  gate,
  goOffline,
  login,
  signOut,
  test,
  untilWorkerIsThere,
  workerTest,
} from './support/journey.ts'
import { installFillingDisk } from './support/disk.ts'
import { answersOnDevice, holdAnswers, leaveUnsent } from './support/leaving.ts'
import { expectInert } from './support/inert.ts'
import { answerAll } from './support/questionnaire.ts'
import { expectScreen } from './support/screens.ts'
import type { ProductServer } from './support/server.ts'
import { listField, openMany } from './support/tokens-panel.ts'
import { startOf, type Words } from './support/words.ts'
import { SAVING, watchRequests } from './support/requests.ts'

/** The part of the app that stores and sends answers. */
const DEVICE_CHUNK = /\/assets\/sending-/

workerTest(
  'unsent answers stay on the device for their owner after signing out, and nobody else sees them',
  async ({ page, t, api, server }) => {
    const player = await newPlayer(server.url)
    const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
    await arriveAs(page, player, paths.home())
    await untilWorkerIsThere(page)
    await page.getByRole('link', { name: startOf(t('player:GoToAssessmentOf', { name: '' })) }).click()
    await page.getByRole('link', { name: t('brief:BriefStart') }).click()
    await expect(page.getByRole('group', { name: script[0]?.text ?? '', exact: true })).toBeVisible()
    await goOffline(page, t)
    await answerAll(page, t, script.slice(0, 5))
    await page.getByRole('button', { name: t('assessment:TestSaveAndExit') }).click()
    await expect(page.getByText(t('player:SavedOnDevice', { count: 5 }))).toBeVisible()
    await signOut(page, t)
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText(t('leaving:UnsentTitle', { count: 5 }))).toBeVisible()
    await dialog.getByRole('button', { name: t('leaving:KeepAndSignOut') }).click()
    await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
    await page.context().setOffline(false)

    // another person on the same device
    const savings = watchRequests(page, SAVING)
    const other = newAddress()
    await login(page, t, api, other)
    await expect(page.getByText(other, { exact: true })).toBeVisible()
    await expect(page.getByText(t('player:NoCompletedAssessments'))).toBeVisible()
    await expect(page.getByText(startOf(t('home:AnsweredOf', { answered: '' })))).toBeHidden()
    await page.goto(paths.test(player.instanceId))
    await expect(page.getByText(t('assessment:AssessmentNotFound'))).toBeVisible()
    expect(await whatIsKept(page)).not.toContain(player.email)
    expect(savings).toEqual([])
    await page.goto(paths.home())
    await signOut(page, t)
    await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()

    await login(page, t, api, player.email)
    const again = await signInByApi(server.url, player.email)
    await expect.poll(() => storedAnswers(again, player.instanceId), { timeout: 30_000 }).toEqual(answersOf(script.slice(0, 5)))
  },
)

test('unsent answers can be sent before signing out', async ({ page, t, server, front }) => {
  const { player, script } = await leaveUnsent(page, t, server, front, 2)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(t('leaving:UnsentTitle', { count: 2 }))).toBeVisible()
  front.mend()
  await dialog.getByRole('button', { name: t('leaving:SendNow') }).click()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  // signing out ended the first session of this journey
  expect(await storedAnswers(await signInByApi(server.url, player.email), player.instanceId)).toEqual(answersOf(script.slice(0, 2)))
  expect(await answersOnDevice(page)).toBe(0)
})

test.describe('before the rest of the app has loaded', () => {
  // the worker would have cached it
  test('signing out waits for the part of the app that knows of unsent answers', async ({ page, t, server, front }) => {
    const { open: come, opened: held } = gate()
    await page.route(DEVICE_CHUNK, async (route) => {
      // the questionnaire has loaded it; the dashboard has not
      if (new URL(route.request().frame().url()).pathname === paths.home()) await held
      await route.continue()
    })
    await leaveUnsent(page, t, server, front, 2)
    await expect(page.getByText(t('shell:SigningOut'))).toBeVisible()
    come()
    await expect(page.getByRole('dialog').getByText(t('leaving:UnsentTitle', { count: 2 }))).toBeVisible()
  })
})

workerTest('signing out asks about a waiting Submit, and sends it first', async ({ page, t, server }) => {
  const player = await submitOffline(page, t, server.url)
  await signOut(page, t)
  const dialog = page.getByRole('dialog', { name: t('leaving:UnsentSubmitTitle', { count: 1 }) })
  await expect(dialog.getByText(t('leaving:UnsentSubmitText'))).toBeVisible()
  await expect(dialog.getByRole('button', { name: t('leaving:KeepAndSignOut') })).toBeVisible()
  await dialog.getByRole('button', { name: t('leaving:LeaveUnsubmitted') }).click()
  await expect(page.getByRole('dialog', { name: t('leaving:LeaveUnsubmittedTitle') })).toBeVisible()
  await page.getByRole('button', { name: t('ui:Cancel') }).click()
  await page.context().setOffline(false)
  await dialog.getByRole('button', { name: t('leaving:SendNow') }).click()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  const again = await signInByApi(server.url, player.email)
  expect((await again.api.ask(instances.get, { params: { instanceId: player.instanceId } })).status).toBe('COMPLETED')
})

test('answers that could not be sent before signing out are named, and every choice stays', async ({ page, t, server, front }) => {
  await leaveUnsent(page, t, server, front, 1)
  const dialog = page.getByRole('dialog')
  const send = dialog.getByRole('button', { name: t('leaving:SendNow') })
  await send.click()
  await expect(dialog.getByRole('alert')).toHaveText(t('leaving:SendFailed', { reason: t('errors:UNAVAILABLE') }))
  await expect(dialog.getByRole('button', { name: t('leaving:KeepAndSignOut') })).toBeVisible()
  await expectAccessible(page, 'not sent')

  // the server refuses it with its own reason
  front.mend()
  front.bend(SAVING, refuseWith(409, 'INSTANCE_RECLAIMED'))
  await send.click()
  await expect(dialog.getByRole('alert')).toHaveText(t('leaving:SendFailed', { reason: t('errors:INSTANCE_RECLAIMED') }))
  await dialog.getByRole('button', { name: t('leaving:StaySignedIn') }).click()
  await expect(dialog).toBeHidden()
  await signOut(page, t)
  await expect(dialog.getByText(t('leaving:UnsentTitle', { count: 1 }))).toBeVisible()
  await expect(dialog.getByRole('alert')).toBeHidden()
})

test('discarding asks for confirmation and removes everything', async ({ page, t, server, front }) => {
  const { player } = await leaveUnsent(page, t, server, front, 1)
  await page.getByRole('button', { name: t('leaving:Discard') }).click()
  await expect(page.getByText(t('leaving:DiscardTitle', { count: 1 }))).toBeVisible()
  const finish = await holdAnswers(page)
  await page.getByRole('button', { name: t('leaving:DiscardAndSignOut') }).click()
  await expectInert(page.getByRole('button', { name: t('ui:Cancel') }))
  await finish()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  expect(await answersOnDevice(page)).toBe(0)
  expect(await storedAnswers(await signInByApi(server.url, player.email), player.instanceId)).toEqual({})
})

test('answers held only by another tab are named before signing out, and sent from that tab', async ({ page, t, server, front }) => {
  const { player, script, other } = await leaveUnwrittenElsewhere(page, t, server, front)
  const dialog = page.getByRole('dialog', { name: t('leaving:UnsentTitle', { count: 2 }) })
  await expect(dialog.getByText(t('leaving:UnwrittenToo', { count: 2 }))).toBeVisible()
  await expect(dialog.getByText(t('leaving:UnsentText'))).toBeHidden()
  await expect(dialog.getByRole('button', { name: t('leaving:KeepInPage') })).toBeVisible()
  await expectAccessible(page, 'in another tab alone')
  front.mend()
  await dialog.getByRole('button', { name: t('leaving:SendNow') }).click()
  await expectScreen(page, t, 'login', /\/auth\/login/)
  expect(await storedAnswers(await signInByApi(server.url, player.email), player.instanceId)).toEqual(answersOf(script.slice(0, 2)))
  await other.close({ runBeforeUnload: true })
  await expect.poll(() => other.isClosed()).toBe(true)
})

test('discarding before signing out also removes answers held only by another tab', async ({ page, t, server, front }) => {
  const { player, other } = await leaveUnwrittenElsewhere(page, t, server, front)
  await page.getByRole('button', { name: t('leaving:Discard') }).click()
  await page.getByRole('dialog', { name: t('leaving:DiscardTitle', { count: 2 }) }).waitFor()
  await page.getByRole('button', { name: t('leaving:DiscardAndSignOut') }).click()
  await expectScreen(page, t, 'login', /\/auth\/login/)
  // the tab asks as long as it holds unsent answers
  await other.close({ runBeforeUnload: true })
  await expect.poll(() => other.isClosed()).toBe(true)
  expect(await answersOnDevice(page)).toBe(0)
  expect(await storedAnswers(await signInByApi(server.url, player.email), player.instanceId)).toEqual({})
})

test('signing out asks whether a coach’s unsent list stays on the device or is discarded', async ({ page, t, api, server }) => {
  const coach = await newCoach(server.url, { tokens: 1 })
  await arriveAs(page, coach, paths.home())
  await openMany(page, t)
  await listField(page, t).fill('ana@club.test')
  await expect(page.getByText(t('tokens:AssignManyReady', { ready: 1, total: 1 }))).toBeVisible()
  await page.getByRole('button', { name: t('ui:Close') }).click()
  await signOut(page, t)
  const dialog = page.getByRole('dialog', { name: t('leaving:DraftTitle') })
  await expect(dialog.getByText(t('leaving:DraftText'))).toBeVisible()
  await expect(dialog.getByRole('button', { name: t('leaving:SendNow') })).toBeHidden()
  await expectAccessible(page, 'list not sent')
  await dialog.getByRole('button', { name: t('leaving:KeepAndSignOut') }).click()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()

  await login(page, t, api, coach.email)
  await openMany(page, t)
  await expect(listField(page, t)).toHaveValue('ana@club.test')
  await page.getByRole('button', { name: t('ui:Close') }).click()
  await signOut(page, t)
  await dialog.getByRole('button', { name: t('leaving:Discard') }).click()
  await expect(page.getByRole('dialog', { name: t('leaving:DiscardDraftTitle') })).toBeVisible()
  await page.getByRole('button', { name: t('leaving:DiscardAndSignOut') }).click()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  await login(page, t, api, coach.email)
  await openMany(page, t)
  await expect(listField(page, t)).toHaveValue('')
})

test('an unreadable device: signing out warns first, names what stays, and removes it later', async ({ page, t, server, front }) => {
  const { player } = await leaveUnsent(page, t, server, front, 1)
  await page.getByRole('button', { name: t('leaving:StaySignedIn') }).click()
  await hangDatabase(page)
  await page.reload()
  await signOut(page, t)
  const dialog = page.getByRole('dialog', { name: t('leaving:UnknownTitle') })
  await expect(dialog.getByText(t('leaving:UnknownText'))).toBeVisible()
  await expectAccessible(page, 'not known')
  await dialog.getByRole('button', { name: t('leaving:LookAgain') }).click()
  await expect(dialog.getByRole('button', { name: t('leaving:LookAgain') })).toBeEnabled()
  await dialog.getByRole('button', { name: t('leaving:Discard') }).click()
  await expect(page.getByRole('dialog', { name: t('leaving:DiscardUnknownTitle') })).toBeVisible()
  await page.getByRole('button', { name: t('leaving:DiscardAndSignOut') }).click()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  await expect(page.getByText(t('shell:NotCleared'))).toBeVisible()
  // the app is opened again
  await page.reload()
  await expect.poll(() => answersOnDevice(page)).toBe(0)
  expect(await storedAnswers(await signInByApi(server.url, player.email), player.instanceId)).toEqual({})
})

test('a person who signs in with another address is told what could not be removed', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.home())
  await hangDatabase(page)
  await page.goto(paths.brief(crypto.randomUUID()))
  await page.getByRole('button', { name: t('assessment:SignInWithOtherAddress') }).click()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  await expect(page.getByText(t('shell:NotCleared'))).toBeVisible()
})

/** A player about to sign out in one tab while another holds two answers that neither the disk nor the server takes. */
async function leaveUnwrittenElsewhere(page: Page, t: Words, server: ProductServer, front: Front) {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  const other = await page.context().newPage()
  other.on('dialog', (dialog) => void dialog.dismiss())
  await installFillingDisk(other)
  front.bend(SAVING, cut)
  await arriveAs(other, player, paths.test(player.instanceId), { origin: front.url })
  await expect(other.getByRole('group', { name: script[0]?.text ?? '', exact: true })).toBeVisible()
  await other.evaluate(() => dispatchEvent(new Event('diskFull')))
  await answerAll(other, t, script.slice(0, 2))
  await expect(other.getByText(t('assessment:TestNotSavedOnDevice'))).toBeVisible()
  await page.goto(front.url + paths.home())
  await expect(page.getByText(t('player:NotOnDeviceElsewhere', { count: 2 }))).toBeVisible()
  await signOut(page, t)
  return { player, script, other }
}

/** Every answer is on the server, Submit was pressed without a connection, and the dashboard shows. */
async function submitOffline(page: Page, t: Words, url: string) {
  const player = await newPlayer(url, { questions: 1000 })
  await arriveAs(page, player, paths.home())
  await untilWorkerIsThere(page)
  await expect(page.getByText(t('player:ReadyForNoSignal'))).toBeVisible({ timeout: 30_000 })
  await page.goto(paths.test(player.instanceId))
  const tabs = page.getByRole('tablist', { name: t('assessment:TestSections') }).getByRole('tab')
  await tabs.last().click()
  await goOffline(page, t)
  await page.getByRole('button', { name: t('assessment:TestSubmit') }).click()
  await expect(page.getByText(t('assessment:TestFinishedWaiting'))).toBeVisible()
  await page.getByRole('link', { name: t('shell:ReturnToDashboard') }).click()
  await expect(page.getByText(t('player:FinishedOnDevice'))).toBeVisible()
  return player
}

/** Everything in local and session storage, and in the caches of the worker, as text. */
async function whatIsKept(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const stored = [localStorage, sessionStorage].map((storage) => JSON.stringify(Object.entries(storage)))
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const reply = await cache.match(request)
        stored.push(request.url, reply?.headers.get('content-type')?.includes('json') ? await reply.text() : '')
      }
    }
    return stored.join('\n')
  })
}

/** From the next page on, the database never opens, until the tab's storage is cleared at sign-out. */
async function hangDatabase(page: Page): Promise<void> {
  await page.addInitScript(() => {
    if (sessionStorage.getItem('databaseHangs')) IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest
  })
  await page.evaluate(() => sessionStorage.setItem('databaseHangs', 'true'))
}
