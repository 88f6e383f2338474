import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { responsesOf, signInByApi } from './support/api.ts'
import { installFillingDisk } from './support/disk.ts'
import { cut, fileMissing, refuseWith } from './support/front.ts'
import { HOLES } from './support/holes.ts'
import {
  arriveAs,
  expect,
  expectAccessible,
  goOffline,
  goOnline,
  killTab,
  test,
  untilWorkerIsThere,
  workerTest,
} from './support/journey.ts'
import { speak } from './support/look.ts'
import { answerAll } from './support/questionnaire.ts'
import { DEMO_COACH } from './support/team-panel.ts'
import { startOf } from './support/words.ts'
import { begunPlayer, untilQuestionsAreStored } from './support/this-device.ts'

/** What is said of a device where something is out of the ordinary: in another tab, in a browser that stores no app, in the other language. DEVICE-1, DEVICE-3, OFFLINE-8 */

const INSTANCES = /^\/api\/assessment\/assessment-instance/

test('what a full disk did not take in one tab has a line in the other, until that tab is gone', async ({
  page,
  context,
  t,
  server,
  front,
}) => {
  const { player, script } = await begunPlayer(server.url)
  await installFillingDisk(page)
  front.bend(/^\/api\/assessment\/assessment-instance\/responses/, refuseWith(500, 'INTERNAL'))
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await expect(page.getByRole('radio').first()).toBeVisible()
  const other = await context.newPage()
  await other.goto(front.url + paths.home())
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible()
  await page.evaluate(() => dispatchEvent(new Event('diskFull')))
  await answerAll(page, t, script.slice(0, 1))
  const strip = other.getByText(t('shell:NotStored'))
  await expect(strip).toBeVisible()
  await strip.getByRole('link', { name: t('shell:SeeWhatWaits') }).click()
  await expect(other.getByText(t('device:StorageFull'))).toBeVisible()
  await killTab(page)
  await expect(strip).toBeHidden()
})

test('the assessment has its name in the language of the screen, also where the list cannot be read', async ({
  page,
  t,
  server,
  front,
}) => {
  const { player } = await begunPlayer(server.url)
  const nameIn = async (language: 'en' | 'fr') =>
    (await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }, language)).name.replaceAll(/<[^>]+>/g, '')
  const [english, french] = [await nameIn('en'), await nameIn('fr')]
  expect(english).not.toBe(french)
  await arriveAs(page, player, paths.home(), { origin: front.url, language: 'en' })
  await untilQuestionsAreStored(page, player.instanceId)
  await page.getByRole('link', { name: t('shell:MenuDevice'), exact: true }).click()
  await expect(page.getByRole('heading', { name: english })).toBeVisible()
  front.bend(INSTANCES, cut)
  await speak(page, 'fr')
  await expect(page.getByRole('heading', { name: french })).toBeVisible()
  await speak(page, 'en')
  await expect(page.getByRole('heading', { name: english })).toBeVisible()
  await expect(page.getByText(t('device:WaitingNothing'))).toBeVisible()
})

workerTest('a coach, too, fetches missing files of the app at a tap', async ({ page, t, server, front }) => {
  const coach = await signInByApi(server.url, DEMO_COACH)
  await arriveAs(page, coach, paths.device(), { origin: front.url })
  await untilWorkerIsThere(page)
  const whole = page.getByText(/^All \d+ files of the app are on this device\.$/)
  await expect(whole).toBeVisible({ timeout: 40_000 })
  // the browser's own cache would supply it
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.clearBrowserCache')
  front.bend(/results\.screen/, fileMissing)
  await page.evaluate(async () => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const file of await cache.keys()) if (file.url.includes('results.screen')) await cache.delete(file)
    }
  })
  const fetchMissing = page.getByRole('button', { name: t('device:FetchMissing') })
  await expect(fetchMissing).toBeVisible()
  front.mend()
  // the app may fetch it by itself before the tap
  await expect(async () => {
    if (await fetchMissing.isVisible()) await fetchMissing.click({ timeout: 1000 })
    await expect(whole).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: 40_000 })
  await expect(fetchMissing).toBeHidden()
})

workerTest('where the browser stores no app the card says so, and not that it is getting ready', async ({ page, t, server }) => {
  const { player } = await begunPlayer(server.url)
  await page.addInitScript(() => {
    const refuse = async () => Promise.reject(new DOMException('Blocked', 'SecurityError'))
    Object.defineProperties(ServiceWorkerContainer.prototype, { register: { value: refuse }, getRegistration: { value: refuse } })
  })
  await arriveAs(page, player, paths.home())
  await expect(page.getByText(t('player:LacksWorker'))).toBeVisible()
  await expect(page.getByText(startOf(t('player:Fetching')))).toBeHidden()
  await expect(page.getByRole('button', { name: t('player:FetchMissing') })).toBeHidden()
  await page.getByRole('link', { name: t('shell:MenuDevice'), exact: true }).click()
  await expect(page.getByText(t('device:ShellImpossible'))).toBeVisible()
})

workerTest('an app that is not stored yet is not said to be impossible to store', async ({ page, t, server }) => {
  const { player } = await begunPlayer(server.url)
  // as when the connection is lost while its files are loading
  await page.addInitScript(() => {
    const fail = async () => Promise.reject(new TypeError('network'))
    Object.defineProperty(ServiceWorkerContainer.prototype, 'register', { value: fail })
  })
  await arriveAs(page, player, paths.device())
  await expect(page.getByText(t('device:ShellUnseen'))).toBeVisible()
  await expect(page.getByText(t('device:ShellImpossible'))).toBeHidden()
})

workerTest('an assessment that is not on the device and cannot be fetched is said to be missing', async ({ page, t, server, front }) => {
  const { player } = await begunPlayer(server.url)
  await arriveAs(page, player, paths.home(), { origin: front.url })
  await untilQuestionsAreStored(page, player.instanceId)
  await untilWorkerIsThere(page)
  const hole = HOLES.find(({ name }) => name === 'the instance')
  expect(await hole?.take(page, player, 0)).toBeDefined()
  front.bend(new RegExp(`${INSTANCES.source}/${player.instanceId}`), fileMissing)
  await page.goto(front.url + paths.home())
  await expect(page.getByText(t('player:LacksWords'))).toBeVisible()
  front.mend()
  await page.getByRole('button', { name: t('player:FetchMissing') }).click()
  await expect(page.getByText(t('player:LacksWords'))).toBeHidden()
})

test('a late answer is discarded at /device, named before, without a connection', async ({ page, t, server }) => {
  const { player, script, other } = await begunPlayer(server.url)
  const [first] = script
  if (!first) throw new Error('no questions')
  await arriveAs(page, player, paths.test(player.instanceId))
  await expect(page.getByRole('group', { name: first.text, exact: true })).toBeVisible()
  await goOffline(page, t)
  await answerAll(page, t, [first])
  await player.api.ask(instances.saveResponses, {
    body: { instanceId: player.instanceId, responses: other.slice(0, 1).flatMap(responsesOf) },
  })
  await goOnline(page, t)
  await expect(page.getByRole('button', { name: t('assessment:TestLateTake') })).toBeVisible({ timeout: 30_000 })
  await page.goto(paths.device())
  await expect(page.getByText(t('device:WaitingLate', { count: 1 }))).toBeVisible()
  await page.getByRole('button', { name: t('device:Discard') }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(t('device:DiscardLate', { count: 1 }))).toBeVisible()
  await expect(dialog.getByRole('listitem')).toHaveText([t('parts:QuestionName', { section: 1, number: 1, question: first.text })])
  await expectAccessible(page, 'what discarding a late answer loses')
  await page.context().setOffline(true)
  await dialog.getByRole('button', { name: t('device:DiscardConfirm', { count: 1 }) }).click()
  await expect(page.getByText(t('device:WaitingNothing'))).toBeVisible()
  await page.context().setOffline(false)
})

test('a Submit that was refused, of answers that have all arrived, is cancelled at /device', async ({ page, t, server, front }) => {
  const { player, script } = await begunPlayer(server.url, 111)
  front.bend(new RegExp(`${INSTANCES.source}/.*complete`), refuseWith(409, 'CONTENT_VERSION_MISMATCH'))
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await expect(page.getByRole('radio').first()).toBeVisible()
  await answerAll(page, t, script.slice(-1))
  await page.getByRole('button', { name: t('assessment:TestSubmit') }).click()
  await expect(page.getByRole('heading', { name: t('assessment:TestFinishedTitle') })).toBeVisible()
  await page.goto(front.url + paths.device())
  await page.getByRole('button', { name: t('device:Discard') }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(t('device:DiscardSubmit'))).toBeVisible()
  await dialog.getByRole('button', { name: t('device:DiscardSubmitConfirm') }).click()
  await expect(page.getByText(t('device:WaitingNothing'))).toBeVisible()
  await expect(page.getByRole('button', { name: t('device:Discard') })).toBeHidden()
})

test('a database that hangs is said to hang, before what waits is said to be unknown', async ({ page, t, server }) => {
  const { player } = await begunPlayer(server.url)
  await page.addInitScript(() => {
    const open = IDBFactory.prototype.open
    const hang = function (this: IDBFactory, ...given: Parameters<typeof open>) {
      return given[0] === 'touchline' ? (new EventTarget() as IDBOpenDBRequest) : open.apply(this, given)
    }
    Object.defineProperty(IDBFactory.prototype, 'open', { value: hang })
  })
  await arriveAs(page, player, paths.device())
  await expect(page.getByText(t('device:WaitingSlow'))).toBeVisible()
  await expect(page.getByText(t('device:WaitingUnknown'))).toBeVisible()
  await expect(page.getByText(t('device:WaitingSlow'))).toBeHidden()
})

test('of a database that does not respond it is said once that nobody could look, however often it is asked', async ({
  page,
  t,
  server,
}) => {
  const { player } = await begunPlayer(server.url)
  await page.clock.install()
  // no event ever comes
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest
  })
  await arriveAs(page, player, paths.device())
  const unknown = page.getByText(t('device:WaitingUnknown'))
  await expect(unknown).toBeVisible()
  await unknown.evaluate((line) => {
    const status = line.closest('[role="status"]')
    const said: string[] = []
    Object.assign(globalThis, { said })
    if (status) new MutationObserver(() => said.push(status.textContent)).observe(status, { childList: true, subtree: true })
  })
  // it is asked every 5 s, and has 3 s to reply
  await page.clock.runFor(20_000)
  expect(await page.evaluate(() => (globalThis as unknown as { said: string[] }).said)).toEqual([])
  await expect(unknown).toBeVisible()
})
