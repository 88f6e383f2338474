import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { answersOf, newAddress, newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { askToClose, closeWithCode } from './support/closing.ts'
import { fillRegistration } from './support/coach.ts'
import { fileMissing, refuseWith } from './support/front.ts'
import { arriveAs, askForCode, expect, goOffline, login, signOut, test, typeCode } from './support/journey.ts'
import { answerAll } from './support/questionnaire.ts'
import { countLoads } from './support/requests.ts'
import { expectScreen } from './support/screens.ts'
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
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId } })).slice(0, 3)
  front.bend(/\/responses$/, refuseWith(503, 'UNAVAILABLE'))
  await arriveAs(page, player, paths.test(instanceId), { origin: front.url })
  await expect(page.getByRole('heading', { name: t('assessment:TestTitle') })).toBeAttached()
  await answerAll(page, t, script.slice(0, 2))
  await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: 2 }))).toBeVisible()
  front.mend()
  // an answer ends the wait for the next try
  await answerAll(page, t, script.slice(2))
  await expect.poll(() => storedAnswers(player, instanceId)).toEqual(answersOf(script))
  await page.goto(front.url + paths.home())
  await signOut(page, t)
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  await page.goto(front.url + paths.home())
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
})

const STORAGES = ['localStorage', 'sessionStorage']

/** What is blocked, and how it shows. */
const BLOCKED: Record<string, { names: string[]; how?: 'throws' | 'is null' | 'throws when read' }> = {
  'local storage': { names: ['localStorage'] },
  'local and session storage': { names: STORAGES },
  'local and session storage, which are null': { names: STORAGES, how: 'is null' },
  'local storage, which throws when it is read': { names: ['localStorage'], how: 'throws when read' },
  'all storage': { names: [...STORAGES, 'caches', 'indexedDB', 'locks', 'BroadcastChannel'] },
}

for (const [what, { names, how = 'throws' }] of Object.entries(BLOCKED)) {
  test(`where the browser blocks ${what}, a player signs in, answers and signs out, in two tabs`, async ({
    page,
    context,
    t,
    server,
    api,
  }) => {
    await context.addInitScript(block, { names, how })
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

/** Runs in the page, before its scripts. */
function block({ names, how }: { names: string[]; how: string }) {
  const refuse = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  const refuseLater = async () => refuse()
  for (const name of names) {
    // the names of a database, locks and channels throw nowhere
    if (name === 'indexedDB') IDBFactory.prototype.open = refuse
    else if (name === 'BroadcastChannel') Object.assign(globalThis, { BroadcastChannel: refuse })
    else if (name === 'locks') {
      if ('locks' in navigator) Object.assign(navigator.locks, { request: refuseLater, query: refuseLater })
    } else if (how === 'throws when read')
      Object.defineProperty(globalThis, name, { get: () => ({ getItem: refuse, setItem: refuse, removeItem: refuse }), configurable: true })
    else Object.defineProperty(globalThis, name, { get: how === 'throws' ? refuse : () => null, configurable: true })
  }
}

test('where the browser blocks all storage, no screen says that something is kept here', async ({ page, t, server, api }) => {
  await page.addInitScript(block, { names: BLOCKED['all storage']?.names ?? [], how: 'throws' })
  const player = await newPlayer(server.url)
  await login(page, t, api, player.email)
  await page.getByRole('link', { name: t('shell:MenuProfile'), exact: true }).click()
  await page.getByRole('textbox', { name: t('details:FirstName'), exact: true }).fill('Mayaa')
  await expect(page.getByText(t('details:UnsavedNotKept'))).toBeVisible()
  await expect(page.getByText(t('details:Unsaved'), { exact: true })).toBeHidden()
  await page.getByRole('link', { name: t('shell:MenuDevice'), exact: true }).click()
  await expect(page.getByText(t('device:WaitingUnknown'))).toBeVisible()
  await expect(page.getByText(t('device:GrantUnasked'))).toBeHidden()
  const saidKept = await page.evaluateHandle((words) => {
    const said: string[] = []
    new MutationObserver(() => {
      if (document.body.textContent.includes(words)) said.push(words)
    }).observe(document.body, { childList: true, characterData: true, subtree: true })
    return said
  }, t('shell:Offline'))
  await page.context().setOffline(true)
  await expect(page.getByText(t('shell:OfflineNotKept'))).toBeVisible()
  expect(await saidKept.jsonValue()).toEqual([])
})

test('where the browser stores nothing, the sign-in says that a reload signs out, and says nothing where a database keeps the session', async ({
  page,
  context,
  t,
  server,
  api,
}) => {
  const player = await newPlayer(server.url)
  await page.addInitScript(block, { names: BLOCKED['all storage']?.names ?? [], how: 'throws' })
  await page.goto(paths.login())
  await expect(page.getByRole('status').filter({ hasText: t('auth:NotKept') })).toBeVisible()
  await login(page, t, api, player.email)
  await page.reload()
  await expect(page.getByText(t('auth:NotKept'))).toBeVisible()
  // a coach may begin here
  await page.goto(paths.onboard())
  await expect(page.getByText(t('auth:NotKept'))).toBeVisible()
  await fillRegistration(page, t, newAddress())
  await page.getByRole('button', { name: t('auth:OnboardSubmit') }).click()
  await expectScreen(page, t, 'otp', paths.otp())
  await expect(page.getByText(t('auth:NotKept'))).toBeVisible()

  const other = await context.newPage()
  await other.addInitScript(block, { names: STORAGES, how: 'throws' })
  await login(other, t, api, (await newPlayer(server.url)).email)
  await expect(other.getByText(t('auth:NotKept'))).toBeHidden()
  await other.reload()
  await expectScreen(other, t, 'home', paths.home())
})

test('where the database alone keeps the session and responds late, a reload signs nobody out', async ({
  page,
  context,
  t,
  server,
  api,
}) => {
  await context.addInitScript(block, { names: STORAGES, how: 'throws' })
  await login(page, t, api, (await newPlayer(server.url)).email)
  const other = await context.newPage()
  await other.goto('/api/health')
  await other.evaluate(() => {
    const opening = indexedDB.open('touchline-session')
    return new Promise<void>((resolve) => {
      opening.onsuccess = () => {
        const store = opening.result.transaction('copy', 'readwrite').objectStore('copy')
        const hold = () => {
          store.get('nothing').onsuccess = hold
          resolve()
        }
        hold()
      }
    })
  })
  await page.reload()
  await expect(page.getByText(t('auth:NotKept'))).toBeVisible()
  await page.getByLabel(t('auth:Email')).fill('someone')
  await other.close()
  await expectScreen(page, t, 'home', paths.home())
  await page.reload()
  await expectScreen(page, t, 'home', paths.home())
})

test('where the browser stores nothing, signing out says that unsent answers are only in the page, and keeps them there', async ({
  page,
  t,
  server,
  front,
  api,
}) => {
  await page.addInitScript(block, { names: BLOCKED['all storage']?.names ?? [], how: 'throws' })
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } })).slice(0, 2)
  const signIn = async () => {
    await askForCode(page, t, player.email)
    await typeCode(page, t, await api.code(player.email))
    await expectScreen(page, t, 'home', front.url + paths.home())
  }
  await page.goto(front.url + paths.login())
  await signIn()
  await page.getByRole('link', { name: startOf(t('player:GoToAssessmentOf', { name: '' })) }).click()
  await page.getByRole('link', { name: t('brief:BriefStart') }).click()
  front.bend(/\/responses$/, refuseWith(503, 'UNAVAILABLE'))
  await answerAll(page, t, script)
  await page.getByRole('button', { name: t('assessment:TestSaveAndExit') }).click()
  await signOut(page, t)
  const dialog = page.getByRole('dialog', { name: t('leaving:UnsentTitle', { count: 2 }) })
  await expect(dialog).toContainText(t('leaving:UnwrittenToo', { count: 2 }))
  await expect(dialog.getByRole('button', { name: t('leaving:KeepAndSignOut') })).toBeHidden()
  await dialog.getByRole('button', { name: t('leaving:SendNow') }).click()
  await expect(dialog).toContainText(t('errors:UNAVAILABLE'))
  await dialog.getByRole('button', { name: t('leaving:KeepInPage') }).click()
  await expect(page.getByText(t('shell:NotChecked'))).toBeVisible()
  await signIn()
  front.mend()
  await signOut(page, t)
  await dialog.getByRole('button', { name: t('leaving:SendNow') }).click()
  const unknown = page.getByRole('dialog', { name: t('leaving:UnknownTitle') })
  await expect(unknown.getByRole('alert')).toBeHidden()
  await unknown.getByRole('button', { name: t('leaving:KeepAndSignOut') }).click()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script))
})

test('where the browser stores nothing, whoever closes the account reads that it is closed', async ({ page, t, server, api }) => {
  await page.addInitScript(block, { names: BLOCKED['all storage']?.names ?? [], how: 'throws' })
  const player = await newPlayer(server.url)
  await login(page, t, api, player.email)
  await page.getByRole('link', { name: t('shell:MenuProfile'), exact: true }).click()
  await closeWithCode(await askToClose(page, t), t, () => api.code(player.email))
  await expect(page.getByText(t('shell:NotChecked'))).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: t('shell:AccountClosed') })).toBeVisible()
})

test('where local storage takes nothing, a player signs in and answers', async ({ page, t, server, api }) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('no room', 'QuotaExceededError')
    }
  })
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } })).slice(0, 2)
  await login(page, t, api, player.email)
  await page.goto(paths.test(player.instanceId))
  await answerAll(page, t, script)
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script))
})

test('where local storage is blocked, who signs out in one tab is signed out in the other, and stays it', async ({
  page,
  context,
  t,
  server,
  api,
}) => {
  await context.addInitScript(block, { names: STORAGES, how: 'is null' })
  const player = await newPlayer(server.url)
  await login(page, t, api, player.email)
  const other = await context.newPage()
  await other.goto(paths.profile())
  await other.getByRole('textbox', { name: t('details:FirstName'), exact: true }).fill('Mayaa')
  await signOut(page, t)
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  await expect(other.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  await page.goto(paths.home())
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
})

test('where session storage is blocked, a part of the app that is gone reloads the page once, and no more', async ({
  page,
  t,
  server,
  front,
}) => {
  await page.addInitScript(block, { names: ['sessionStorage'], how: 'throws' })
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.profile(), { origin: front.url })
  const photo = page.getByRole('button', { name: t('profile:PhotoAdd') })
  await expect(photo).toBeVisible()
  await page.waitForLoadState('networkidle')
  const loads = countLoads(page)
  front.bend(/\/assets\/dialog-body/, fileMissing)
  await photo.click()
  await expect.poll(loads).toBe(1)
  await photo.click()
  await expect(page.getByText(t('ui:DialogLost')).first()).toBeVisible()
  expect(loads()).toBe(1)
})

test('where the browser stores nothing, a part of the app that is gone does not reload the page, which would sign out', async ({
  page,
  t,
  server,
  front,
  api,
}) => {
  await page.addInitScript(block, { names: BLOCKED['all storage']?.names ?? [], how: 'throws' })
  const player = await newPlayer(server.url)
  await page.goto(front.url + paths.login())
  await askForCode(page, t, player.email)
  await typeCode(page, t, await api.code(player.email))
  await page.getByRole('link', { name: t('shell:MenuProfile'), exact: true }).click()
  await page.getByRole('textbox', { name: t('details:FirstName'), exact: true }).fill('Mayaa')
  const loads = countLoads(page)
  front.bend(/\/assets\/dialog-body/, fileMissing)
  await page.getByRole('button', { name: t('profile:PhotoAdd') }).click()
  await expect(page.getByText(t('ui:DialogLost')).first()).toBeVisible()
  expect(loads()).toBe(0)
  await expect(page.getByRole('textbox', { name: t('details:FirstName'), exact: true })).toHaveValue('Mayaa')
})

test('what a full storage does not take is not said to be kept, neither by the form nor by the line about the connection', async ({
  page,
  t,
  server,
}) => {
  await arriveAs(page, await newPlayer(server.url), paths.profile())
  const firstName = page.getByRole('textbox', { name: t('details:FirstName'), exact: true })
  await expect(firstName).toHaveValue('Maya')
  await page.evaluate(() => {
    for (let size = 1 << 20; size > 0; size = Math.floor(size / 2)) {
      try {
        for (let part = 0; ; part += 1) localStorage.setItem(`${size} ${part}`, 'x'.repeat(size))
      } catch {
        // it takes none of this size any more
      }
    }
  })
  await goOffline(page, t)
  await firstName.fill('Zoe')
  await expect(page.getByText(t('details:SaveNeedsConnectionHere'))).toBeVisible()
  await expect(page.getByText(t('shell:OfflineNotStored'))).toBeVisible()
  await expect(page.getByText(t('shell:Offline'), { exact: true })).toBeHidden()
  await page.getByRole('link', { name: t('shell:MenuHome'), exact: true }).click()
  await expect(page.getByText(t('shell:OfflineNotStored'))).toBeHidden()
})
