import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { Api, answersOf, newAddress, newPlayer, scriptOf, signInByApi, storedAnswers } from './support/api.ts'
import { cut } from './support/front.ts'
import { arriveAs, askForCode, expect, goOffline, login, signOut, test, typeCode, untilWorkerIsThere } from './support/journey.ts'
import { answerAll, expectAnswered } from './support/questionnaire.ts'
import { startOf } from './support/words.ts'

const SAVING = /^\/api\/assessment\/assessment-instance\/responses/

test('signing out with unsent answers keeps them for their owner, and from everybody else', async ({ page, t, api, server }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await arriveAs(page, player, paths.home())
  await untilWorkerIsThere(page)
  await page.getByRole('link', { name: startOf(t('home:GoToAssessmentOf', { name: '' })) }).click()
  await page.getByRole('link', { name: t('assessment:BriefStart') }).click()
  await expect(page.getByRole('group', { name: script[0]?.text ?? '', exact: true })).toBeVisible()
  await goOffline(page, t)
  await answerAll(page, t, script.slice(0, 5))
  await page.getByRole('button', { name: t('assessment:TestSaveAndExit') }).click()
  await expect(page.getByText(t('home:SavedOnDevice', { count: 5 }))).toBeVisible()
  await signOut(page, t)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(t('shell:UnsentTitle', { count: 5 }))).toBeVisible()
  await dialog.getByRole('button', { name: t('shell:KeepAndSignOut') }).click()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  await page.context().setOffline(false)

  // somebody else on the same device
  const savings: string[] = []
  page.on('request', (request) => SAVING.test(new URL(request.url()).pathname) && savings.push(request.url()))
  const other = newAddress()
  await login(page, t, api, other)
  await expect(page.getByText(other)).toBeVisible()
  await expect(page.getByText(t('home:NoCompletedAssessments'))).toBeVisible()
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
})

test('sending now, then signing out', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  front.bend(SAVING, cut)
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await answerAll(page, t, script.slice(0, 2))
  await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: 2 }))).toBeVisible()
  await page.goto(front.url + paths.home())
  await signOut(page, t)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(t('shell:UnsentTitle', { count: 2 }))).toBeVisible()
  front.mend()
  await dialog.getByRole('button', { name: t('shell:SendNow') }).click()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  // signing out ended the session that this journey began with
  expect(await storedAnswers(await signInByApi(server.url, player.email), player.instanceId)).toEqual(answersOf(script.slice(0, 2)))
  expect(await answersOnDevice(page)).toBe(0)
})

test('discarding asks again and leaves nothing', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  front.bend(SAVING, cut)
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await answerAll(page, t, script.slice(0, 1))
  await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: 1 }))).toBeVisible()
  await page.goto(front.url + paths.home())
  await signOut(page, t)
  await page.getByRole('button', { name: t('shell:Discard') }).click()
  await expect(page.getByText(t('shell:DiscardTitle', { count: 1 }))).toBeVisible()
  await page.getByRole('button', { name: t('shell:DiscardAndSignOut') }).click()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  expect(await answersOnDevice(page)).toBe(0)
  expect(await storedAnswers(await signInByApi(server.url, player.email), player.instanceId)).toEqual({})
})

test('a session that the server has ended asks to sign in, and loses no answer', async ({ page, t, api, server }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await arriveAs(page, player, paths.test(player.instanceId))
  await expect(page.getByRole('group', { name: script[0]?.text ?? '', exact: true })).toBeVisible()
  await goOffline(page, t)
  await answerAll(page, t, script.slice(0, 3))
  await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: 3 }))).toBeVisible()
  await signOutElsewhere(player.api.url, player.accessToken)
  await page.context().setOffline(false)
  await expect(page).toHaveURL(paths.login(), { timeout: 30_000 })
  await expect(page.getByText(t('shell:SessionEnded'))).toBeVisible()
  await askForCode(page, t, player.email)
  await typeCode(page, t, await api.code(player.email))
  await expect(page).toHaveURL(paths.test(player.instanceId))
  await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
  for (const question of script.slice(0, 3)) await expectAnswered(page, t, question)
  const accessToken = (await page.evaluate(() => localStorage.getItem('accessToken'))) ?? ''
  const now = { ...player, api: new Api(server.url, accessToken) }
  expect(await storedAnswers(now, player.instanceId)).toEqual(answersOf(script.slice(0, 3)))
})

async function signOutElsewhere(url: string, bearer: string): Promise<void> {
  const response = await fetch(`${url}/api/user/auth/logout`, { method: 'POST', headers: { authorization: `Bearer ${bearer}` } })
  expect(response.ok).toBe(true)
}

/** Everything in local and session storage, and in the caches of the worker, as text. */
async function whatIsKept(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const kept = [localStorage, sessionStorage].map((storage) => JSON.stringify(Object.entries(storage)))
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const reply = await cache.match(request)
        kept.push(request.url, reply?.headers.get('content-type')?.includes('json') ? await reply.text() : '')
      }
    }
    return kept.join('\n')
  })
}

async function answersOnDevice(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('touchline')
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(new Error('no database')))
    })
    const counting = database.transaction('answers').objectStore('answers').count()
    return new Promise<number>((resolve) => counting.addEventListener('success', () => resolve(counting.result)))
  })
}
