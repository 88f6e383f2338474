import { paths } from '#app/paths.ts'
import { answersOf, newAddress, signInByApi, storedAnswers } from './support/api.ts'
import { savedFile } from './support/answers-file.ts'
import { SAVING } from './support/requests.ts'
import { DEMO_COACH } from './support/team-panel.ts'
import { fileMissing, refuseWith } from './support/front.ts'
import { installFillingDisk } from './support/disk.ts'
import {
  arriveAs,
  askForCode,
  expect,
  expectAccessible,
  goOffline,
  goOnline,
  test,
  typeCode,
  untilWorkerIsThere,
  workerTest,
} from './support/journey.ts'
import { begunPlayer, openFromMenu } from './support/this-device.ts'
import { speak } from './support/look.ts'
import { answerAll } from './support/questionnaire.ts'
import { expectScreen } from './support/screens.ts'
import { anyOf, startOf, wordsOf } from './support/words.ts'

/** What is on this device, at /device. DEVICE-1, DEVICE-3 to DEVICE-5 */

workerTest('without a signal it says what waits, and afterwards that nothing does', async ({ page, t, server }) => {
  const { player, script } = await begunPlayer(server.url)
  await arriveAs(page, player, paths.test(player.instanceId))
  await untilWorkerIsThere(page)
  const [first] = script
  if (!first) throw new Error('no questions')
  await expect(page.getByRole('group', { name: first.text, exact: true })).toBeVisible()
  await goOffline(page, t)
  await answerAll(page, t, script.slice(0, 2))
  await page
    .getByRole('status')
    .getByRole('link', { name: t('shell:SeeWhatWaits') })
    .click()
  await expectScreen(page, t, 'device', new RegExp(`${paths.device()}$`))
  await expect(page.getByText(t('device:WaitingAnswers', { count: 2 }))).toBeVisible()
  await expect(page.getByText(t('device:ConnectionOffline'))).toBeVisible()
  await expect(page.getByText(startOf(t('device:ContactAt', { moment: '' })))).toBeVisible()
  await page.reload()
  await expect(page.getByText(t('device:WaitingAnswers', { count: 2 }))).toBeVisible()
  await expect(page.getByText(startOf(t('device:ContactAt', { moment: '' })))).toBeVisible()

  const { text: saved, download } = await savedFile(page, page.getByRole('button', { name: t('device:SaveFile') }))
  expect(saved).toContain('2 answered questions')
  await expect(page.getByRole('status').getByText(t('answers-file:FileDownloaded', { name: download.suggestedFilename() }))).toBeVisible()

  const support = page.getByRole('textbox', { name: t('device:SupportTitle') })
  await expect(support).toHaveValue(/"answers":2/)
  const text = await support.inputValue()
  for (const secret of [player.email, 'Maya', player.accessToken, first.items[0]?.id ?? '']) expect(text).not.toContain(secret)

  await goOnline(page, t)
  // said to a screen reader, too
  await expect(page.getByRole('status').getByText(t('device:WaitingNothing'))).toBeVisible({ timeout: 20_000 })
  expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 2)))
})

workerTest('missing files of the app are counted, and fetched at a tap', async ({ page, t, server, front }) => {
  const { player } = await begunPlayer(server.url)
  await arriveAs(page, player, paths.home(), { origin: front.url })
  await untilWorkerIsThere(page)
  await openFromMenu(page, t)
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
  const fetchMissing = page.getByRole('region', { name: t('device:StorageTitle') }).getByRole('button', { name: t('device:FetchMissing') })
  await fetchMissing.click({ timeout: 15_000 })
  await expect(page.getByText(/^\d+ of \d+ files of the app are on this device\./)).toBeVisible()
  front.mend()
  // the app may fetch it by itself before the tap
  await expect(async () => {
    if (await fetchMissing.isVisible()) await fetchMissing.click({ timeout: 1000 })
    await expect(whole).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: 40_000 })
  await expect(fetchMissing).toBeHidden()
})

test('answers that the server refuses are tried again and discarded there, each named before', async ({ page, t, server, front }) => {
  const { player, script } = await begunPlayer(server.url)
  const [first, second] = script
  if (!first || !second) throw new Error('no questions')
  front.bend(SAVING, refuseWith(409, 'CONTENT_VERSION_MISMATCH'))
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await answerAll(page, t, [first, second])
  await expect(page.getByRole('button', { name: t('assessment:TryAgain') })).toBeVisible()
  await page.getByRole('button', { name: t('assessment:TestSaveAndExit') }).click()
  await page.getByRole('link', { name: t('player:SeeDevice') }).click()
  await expect(page.getByText(anyOf(t('device:RefusedAt', { moment: 'ANY' })))).toBeVisible()
  await expect(page.getByText(t('device:NeverAcknowledged'))).toBeVisible()
  const tried = page.waitForResponse((reply) => SAVING.test(new URL(reply.url()).pathname))
  await page.getByRole('button', { name: t('device:TryAgain') }).click()
  await tried
  // its button went and came back
  await expect(page.getByRole('heading', { name: t('device:WaitingTitle') })).toBeFocused()
  await expect(page.getByText(t('device:WaitingAnswers', { count: 2 }))).toBeVisible()

  await page.getByRole('button', { name: t('device:Discard') }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('listitem')).toHaveText([
    t('parts:QuestionName', { section: 1, number: 1, question: first.text }),
    t('parts:QuestionName', { section: 1, number: 2, question: second.text }),
  ])
  await expectAccessible(page, 'what discarding loses')
  // the account cannot be read: nothing is discarded
  const instance = new RegExp(`^/api/assessment/assessment-instance/${player.instanceId}`)
  front.bend(instance, refuseWith(503, 'UNAVAILABLE'))
  await dialog.getByRole('button', { name: t('device:DiscardConfirm', { count: 2 }) }).click()
  await expect(dialog.getByRole('alert')).toHaveText(startOf(t('device:DiscardFailed', { reason: '' })))
  front.mend()
  await dialog.getByRole('button', { name: t('device:DiscardConfirm', { count: 2 }) }).click()
  await expect(page.getByText(t('device:WaitingNothing'))).toBeVisible()
  await expect(page.getByRole('button', { name: t('device:Discard') })).toBeHidden()
  // the focus does not disappear with the button
  await expect(page.getByRole('heading', { name: t('device:WaitingTitle') })).toBeFocused()
  expect(await storedAnswers(player, player.instanceId)).toEqual({})
})

test('a full disk has a line on every screen, and is named there', async ({ page, t, server, front }) => {
  const { player, script } = await begunPlayer(server.url)
  await installFillingDisk(page)
  front.bend(SAVING, refuseWith(500, 'INTERNAL'))
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await answerAll(page, t, script.slice(0, 1))
  await page.evaluate(() => dispatchEvent(new Event('diskFull')))
  await answerAll(page, t, script.slice(1, 2))
  const strip = page.getByText(t('shell:NotStored'))
  await expect(strip).toBeVisible()
  await page
    .getByRole('status')
    .getByRole('link', { name: t('shell:SeeWhatWaits') })
    .click()
  await expect(page.getByText(t('device:StorageFull'))).toBeVisible()
  await expect(page.getByText(t('device:WaitingUnwritten', { count: 1 }))).toBeVisible()
  await expect(strip).toBeVisible()
  await page.evaluate(() => dispatchEvent(new Event('diskFree')))
  await expect(strip).toBeHidden()
  await expect(page.getByText(t('device:StorageFull'))).toBeHidden()
})

test('answers that only the page had, on a device that cannot be read, can be sent and are then not said to be there', async ({
  page,
  t,
  server,
  front,
}) => {
  const { player, script } = await begunPlayer(server.url)
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('Blocked', 'SecurityError')
    }
    Object.defineProperty(IDBFactory.prototype, 'open', { value: refuse })
  })
  front.bend(SAVING, refuseWith(500, 'INTERNAL'))
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await answerAll(page, t, script.slice(0, 2))
  await page.getByRole('link', { name: t('shell:SeeWhatWaits') }).click()
  const onPage = page.getByText(t('player:NotOnDevice', { count: 2 }))
  await expect(onPage).toBeVisible()
  front.mend()
  await page.getByRole('button', { name: t('device:SendNow') }).click()
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 2)))
  await expect(onPage).toBeHidden()
})

test('a device that could not be read for a moment is looked at again by itself', async ({ page, t, server }) => {
  const { player } = await begunPlayer(server.url)
  await page.addInitScript(() => {
    const open = IDBFactory.prototype.open
    const whileBroken = function (this: IDBFactory, ...given: Parameters<typeof open>) {
      if (document.documentElement.dataset['mended']) return open.apply(this, given)
      throw new DOMException('Busy', 'UnknownError')
    }
    Object.defineProperty(IDBFactory.prototype, 'open', { value: whileBroken })
  })
  await arriveAs(page, player, paths.device())
  await expect(page.getByText(t('device:WaitingUnknown'))).toBeVisible()
  await page.evaluate(() => (document.documentElement.dataset['mended'] = 'yes'))
  await expect(page.getByText(t('device:WaitingNothing'))).toBeVisible()
  await expect(page.getByText(t('device:WaitingUnknown'))).toBeHidden()
})

test('no file is saved where none of the answers was given on this device', async ({ page, t, server }) => {
  const { player } = await begunPlayer(server.url, 2)
  await arriveAs(page, player, paths.test(player.instanceId))
  await page.getByRole('button', { name: t('assessment:TestSaveAndExit') }).click()
  await openFromMenu(page, t)
  await page.getByRole('button', { name: t('device:SaveFile') }).click()
  await expect(page.getByRole('alert')).toHaveText(t('answers-file:FileNothing'))
})

test('the errors of one person are gone when the session ends; those that could not be stored are listed', async ({
  page,
  t,
  server,
  front,
}) => {
  const coach = await signInByApi(server.url, DEMO_COACH)
  await arriveAs(page, coach, paths.home(), { origin: front.url })
  front.bend(/resend/, refuseWith(500, 'INTERNAL'))
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('Full', 'QuotaExceededError')
    }
  })
  await page
    .getByRole('button', { name: startOf(t('tokens:TokenResendOf', { email: '' })) })
    .first()
    .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('tokens:TokenResend'), exact: true })
    .click()
  await expect(page.locator('#toasts').getByText(t('errors:INTERNAL'))).toBeVisible()
  await page.keyboard.press('Escape')
  await openFromMenu(page, t)
  const errors = page.getByRole('region', { name: t('device:ErrorsTitle') })
  await expect(errors.getByRole('listitem')).toContainText([t('errors:INTERNAL')])

  await page.reload()
  await page.evaluate(() => localStorage.setItem('recentErrors', JSON.stringify([{ at: Date.now(), text: 'kid@club.test' }])))
  front.bend(/^\/api\/(?!health)/, refuseWith(401, 'INVALID_TOKEN'))
  front.bend(/auth\/refresh/, refuseWith(401, 'SESSION_REVOKED'))
  await page.goto(front.url + paths.home())
  await expect(page.getByText(t('shell:SessionEnded'))).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('recentErrors'))).toBeNull()
})

test('an error that a toast showed can be read there after a reload, until the list is cleared', async ({ page, t, api }) => {
  const email = newAddress()
  await page.goto(paths.login())
  await askForCode(page, t, email)
  const right = await api.code(email)
  await typeCode(page, t, right === '12345678' ? '87654321' : '12345678')
  await expect(page.locator('#toasts').getByText(t('errors:INVALID_CODE'))).toBeVisible()
  await typeCode(page, t, right)
  await expect(page.getByRole('heading', { name: t('home:HomeHeadingNoName') })).toBeVisible()
  await openFromMenu(page, t)
  await page.reload()
  const errors = page.getByRole('region', { name: t('device:ErrorsTitle') })
  await expect(errors.getByRole('listitem')).toContainText([t('errors:INVALID_CODE')])
  const french = wordsOf('fr')
  await speak(page, 'fr')
  const inFrench = page.getByRole('region', { name: french('device:ErrorsTitle') })
  await expect(inFrench.getByRole('listitem')).toContainText([french('errors:INVALID_CODE')])
  await speak(page, 'en')
  await errors.getByRole('button', { name: t('device:ErrorsForget') }).click()
  await expect(errors).toBeHidden()
  // the focus goes on to what follows
  await expect(page.getByRole('heading', { name: t('device:VersionTitle'), exact: true })).toBeFocused()
  // a value that is not ours breaks nothing
  await page.evaluate(() => localStorage.setItem('recentErrors', '[{"at":"x"}, 3'))
  await page.reload()
  await expect(page.getByText(t('device:SupportText'))).toBeVisible()
  await expect(errors).toBeHidden()
})

test('a coach reads it too', async ({ page, t, server }) => {
  const coach = await signInByApi(server.url, DEMO_COACH)
  await arriveAs(page, coach, paths.home())
  await openFromMenu(page, t)
  await expect(page.getByText(t('device:WaitingNothingCoach'))).toBeVisible()
  await expect(page.getByText(t('device:ConnectionOnline'))).toBeVisible()
  await expectAccessible(page, 'this device, of a coach')
})

test('each check of the connection says when it was made', async ({ page, t, server }) => {
  const { player } = await begunPlayer(server.url)
  await page.clock.install()
  await arriveAs(page, player, paths.device())
  const check = page.getByRole('button', { name: t('device:CheckNow') })
  const checked = page.getByRole('status').getByText(anyOf(t('device:CheckedAt', { time: 'ANY' })))
  await check.click()
  const first = await checked.textContent()
  await page.clock.runFor(2000)
  await check.click()
  await expect(checked).not.toHaveText(first ?? '')
})
