import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { answersOf, newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { refuseWith } from './support/front.ts'
import { arriveAs, expect, login, signOut, test } from './support/journey.ts'
import { answerAll } from './support/questionnaire.ts'
import { startOf } from './support/words.ts'

/** Browsers that block storage: its name throws, or nothing can be opened. */

test('where session storage is blocked, answers are sent, also after a failure, and whoever signs out is signed out', async ({
  page,
  t,
  server,
  front,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'sessionStorage', {
      get: () => {
        throw new DOMException('denied', 'SecurityError')
      },
      configurable: true,
    })
  })
  const player = await newPlayer(server.url)
  const { instanceId } = player
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId } })).slice(0, 2)
  front.bend(/\/responses$/, refuseWith(503, 'UNAVAILABLE'))
  await arriveAs(page, player, paths.test(instanceId), { origin: front.url })
  await expect(page.getByRole('heading', { name: t('assessment:TestTitle') })).toBeAttached()
  await answerAll(page, t, script)
  await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: 2 }))).toBeVisible()
  front.mend()
  await expect.poll(() => storedAnswers(player, instanceId), { timeout: 45_000 }).toEqual(answersOf(script))
  await page.goto(front.url + paths.home())
  await signOut(page, t)
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  await page.goto(front.url + paths.home())
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
})

const BLOCKED = {
  'local storage': ['localStorage'],
  'local and session storage': ['localStorage', 'sessionStorage'],
  'all storage': ['localStorage', 'sessionStorage', 'indexedDB', 'caches'],
}

for (const [what, names] of Object.entries(BLOCKED)) {
  test(`where ${what} is blocked, a player signs in, answers and signs out, in two tabs`, async ({ page, context, t, server, api }) => {
    await context.addInitScript((names) => {
      const refuse = () => {
        throw new DOMException('denied', 'SecurityError')
      }
      for (const name of names) {
        // the name of a database throws nowhere
        if (name === 'indexedDB') IDBFactory.prototype.open = refuse
        else Object.defineProperty(globalThis, name, { get: refuse, configurable: true })
      }
    }, names)
    const hasDatabase = !names.includes('indexedDB')
    const player = await newPlayer(server.url)
    const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } })).slice(0, 2)
    await login(page, t, api, player.email)
    const other = await context.newPage()
    await other.goto(paths.home())
    await page.getByRole('link', { name: startOf(t('player:GoToAssessmentOf', { name: '' })) }).click()
    await page.getByRole('link', { name: t('brief:BriefStart') }).click()
    await answerAll(page, t, script)
    await expect(page.getByRole('alert').filter({ hasText: t('assessment:TestNotSavedOnDevice') })).toBeVisible({ visible: !hasDatabase })
    await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script))
    await page.getByRole('button', { name: t('assessment:TestSaveAndExit') }).click()
    await signOut(page, t)
    // nobody can look whether something was left unsent
    if (!hasDatabase) await page.getByRole('button', { name: t('leaving:KeepAndSignOut') }).click()
    await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
    for (const tab of [page, other]) {
      await tab.goto(paths.home())
      await expect(tab.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
    }
  })
}
