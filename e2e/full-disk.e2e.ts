import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { answersOf, newAddress, newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { bringByApi, savedFile } from './support/answers-file.ts'
import { cut, refuseWith, tooLarge, replyLost } from './support/front.ts'
import { arriveAs, expect, goOffline, goOnline, test, untilWorkerIsThere, workerTest } from './support/journey.ts'
import { installFillingDisk } from './support/disk.ts'
import { speak } from './support/look.ts'
import { answerAll, expectAnswered } from './support/questionnaire.ts'
import { SAVING } from './support/requests.ts'
import { expectScreen } from './support/screens.ts'
import type { ProductServer } from './support/server.ts'
import { startOf, wordsOf, type Words } from './support/words.ts'

test('a disk that is full from the start is said aloud, and answers still reach the server', async ({ page, context, t, server }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  const devtools = await context.newCDPSession(page)
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: 20_000 })
  await arriveAs(page, player, paths.test(player.instanceId))
  await answerAll(page, t, script.slice(0, 3))
  const trouble = page.getByRole('alert').filter({ hasText: t('assessment:TestNotSavedOnDevice') })
  await expect(trouble).toBeVisible()
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 3)))
  // still shown, although the account has the answers
  await expect(trouble).toBeVisible()

  await devtools.send('Storage.overrideQuotaForOrigin', { origin: server.url })
  await answerAll(page, t, script.slice(3, 4))
  await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
  await expect(trouble).toBeHidden()
  expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 4)))
  await page.reload()
  for (const question of script.slice(0, 4)) await expectAnswered(page, t, question)
})

test('the dashboard counts answers sent without being stored on a full disk', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { questions: 2 })
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  const answered = (questions: number) =>
    t('home:AnsweredOf', { answered: script.slice(0, questions).flatMap(({ items }) => items).length, total: 112 })
  await installFillingDisk(page)
  await arriveAs(page, player, paths.home())
  await expect(page.getByText(answered(2))).toBeVisible()
  await page.getByRole('link', { name: startOf(t('player:GoToAssessment')) }).click()
  await page.getByRole('link', { name: t('brief:BriefContinue') }).click()
  await expect(page.getByRole('radio').first()).toBeVisible()
  await page.evaluate(() => dispatchEvent(new Event('diskFull')))
  await answerAll(page, t, script.slice(2, 4))
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 4)))
  await page.getByRole('button', { name: t('assessment:TestSaveAndExit') }).click()
  await expect(page.getByText(answered(4))).toBeVisible()
})

/** One question is answered and saved to the account; then the disk is full. */
async function fillDiskAfterFirst(page: Page, t: Words, server: ProductServer) {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await installFillingDisk(page)
  await arriveAs(page, player, paths.test(player.instanceId))
  await answerAll(page, t, script.slice(0, 1))
  await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
  await page.evaluate(() => dispatchEvent(new Event('diskFull')))
  return { player, script }
}

workerTest(
  'answers refused by the disk while offline survive leaving the screen, and the dashboard reports them',
  async ({ page, t, server }) => {
    const { player, script } = await fillDiskAfterFirst(page, t, server)
    await untilWorkerIsThere(page)
    await goOffline(page, t)
    await answerAll(page, t, script.slice(1, 3))
    await expect(page.getByRole('alert').filter({ hasText: t('assessment:TestNotSavedOnDevice') })).toBeVisible()
    await page.getByRole('button', { name: t('assessment:TestSaveAndExit') }).click()
    const notice = page.getByText(t('player:NotOnDevice', { count: 2 }))
    await expect(notice).toBeVisible()
    await expect(page.getByText(startOf(t('player:SavedToAccount')))).toBeHidden()
    // closing the page asks for confirmation
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.dismiss()
    })
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => asked).toEqual(['beforeunload'])

    // back on the screen the answers are there
    await page.goBack()
    for (const question of script.slice(0, 3)) await expectAnswered(page, t, question)
    await page.goForward()
    await expect(notice).toBeVisible()
    await page.evaluate(() => dispatchEvent(new Event('diskFree')))
    await expect(notice).toBeHidden()
    await goOnline(page, t)
    await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 3)))
    // nothing is unsent: the page closes
    const closed = page.waitForEvent('close')
    await page.close({ runBeforeUnload: true })
    await closed
    expect(asked).toHaveLength(1)
  },
)

for (const screen of ['questionnaire', 'dashboard'] as const)
  workerTest(
    `answers that were stored before the disk was full are sent while it is full, from the ${screen}`,
    async ({ page, t, server }) => {
      const player = await newPlayer(server.url)
      const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
      await installFillingDisk(page)
      await arriveAs(page, player, paths.test(player.instanceId))
      await untilWorkerIsThere(page)
      await goOffline(page, t)
      await answerAll(page, t, script.slice(0, 2))
      await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: 2 }))).toBeVisible()
      if (screen === 'dashboard') {
        await page.getByRole('button', { name: t('assessment:TestSaveAndExit') }).click()
        await expect(page.getByText(t('player:SavedOnDevice', { count: 2 }))).toBeVisible()
      }
      await page.evaluate(() => dispatchEvent(new Event('diskFull')))
      await goOnline(page, t)
      await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 2)))
      await page.evaluate(() => dispatchEvent(new Event('diskFree')))
      if (screen === 'dashboard') await page.goBack()
      await answerAll(page, t, script.slice(2, 3))
      await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
      expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 3)))
    },
  )

test('a refusal of answers that are sent without a stored operation leaves them as they were', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await installDiskWithoutOperations(page)
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  let refused = 0
  front.bend(SAVING, (...asked) => {
    refused += 1
    refuseWith(400, 'INVALID_INPUT')(...asked)
  })
  await answerAll(page, t, script.slice(0, 2))
  await expect.poll(() => refused).toBeGreaterThan(0)
  await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: 2 }))).toBeVisible()
  front.mend()
  await page.evaluate(() => dispatchEvent(new Event('operationsTaken')))
  await answerAll(page, t, script.slice(2, 3))
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 3)))
})

/** The disk takes everything but operations until the event `operationsTaken`. */
async function installDiskWithoutOperations(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const put = IDBObjectStore.prototype.put
    let isRefusing = true
    addEventListener('operationsTaken', () => (isRefusing = false))
    IDBObjectStore.prototype.put = function (...given) {
      if (isRefusing && this.name === 'operations') throw new DOMException('The disk is full', 'QuotaExceededError')
      return put.apply(this, given)
    }
  })
}

test('a disk that fills up in the middle is reported until it takes answers again', async ({ page, t, server }) => {
  const { player, script } = await fillDiskAfterFirst(page, t, server)
  await answerAll(page, t, script.slice(1, 3))
  const trouble = page.getByRole('alert').filter({ hasText: t('assessment:TestNotSavedOnDevice') })
  await expect(trouble).toBeVisible()
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 3)))
  await expect(trouble).toBeVisible()
  await page.evaluate(() => dispatchEvent(new Event('diskFree')))
  await expect(trouble).toBeHidden()
  await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
  await page.reload()
  for (const question of script.slice(0, 3)) await expectAnswered(page, t, question)
})

test('the screen does not say that answers are stored here if the disk is full and there is no connection', async ({
  page,
  t,
  server,
  front,
}) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await installFillingDisk(page)
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await answerAll(page, t, script.slice(0, 1))
  front.bend(/^\/api\//, cut)
  await page.evaluate(() => dispatchEvent(new Event('diskFull')))
  await answerAll(page, t, script.slice(1, 2))
  await expect(page.getByText(t('shell:OfflineNotStored'))).toBeVisible()
  await expect(page.getByText(t('shell:Offline'))).toBeHidden()
  await page.evaluate(() => dispatchEvent(new Event('diskFree')))
  await expect(page.getByText(t('shell:Offline'))).toBeVisible()
  await expect(page.getByText(t('shell:OfflineNotStored'))).toBeHidden()
})

test('Submit on a full disk whose reply is lost is not called undone, and is done once it gets one', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url, { questions: 74 })
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await installFillingDisk(page)
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await expect(page.getByText(t('assessment:TestLeft', { count: script.length - 74 }), { exact: true })).toBeVisible()
  await page.evaluate(() => dispatchEvent(new Event('diskFull')))
  await answerAll(page, t, script.slice(74))
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script))
  front.bend(/\/complete$/, replyLost(server.url))
  const submit = page.getByRole('button', { name: t('assessment:TestSubmit') })
  await submit.click()
  await expect(page.getByRole('alert').getByText(t('assessment:TestSubmitUnsure'))).toBeVisible()
  front.mend()
  // the account takes no other answer any more
  await page.getByRole('radio', { checked: false }).first().click()
  await submit.click()
  await expectScreen(page, t, 'results', front.url + paths.results(player.instanceId))
  await expect(page.getByText(t('assessment:TestChangedTooLate'))).toBeVisible()
})

for (const since of ['from the start', 'since a moment ago']) {
  test(`Submit on a disk full ${since} completes with a connection, and says why it cannot without one`, async ({
    page,
    t,
    server,
    front,
  }) => {
    const player = await newPlayer(server.url, { questions: 74 })
    const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
    const last = script.slice(74)
    await installFillingDisk(page)
    if (since === 'from the start') await page.addInitScript(() => dispatchEvent(new Event('diskFull')))
    await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
    await expect(page.getByText(t('assessment:TestLeft', { count: last.length }), { exact: true })).toBeVisible()
    await page.evaluate(() => dispatchEvent(new Event('diskFull')))
    await answerAll(page, t, last)
    await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script))
    front.bend(/^\/api\//, cut)
    const submit = page.getByRole('button', { name: t('assessment:TestSubmit') })
    await submit.click()
    await expect(page.getByRole('alert').getByText(t('assessment:TestNotSubmitted'))).toBeVisible()
    front.mend()
    await expect(page.getByText(t('shell:Offline'))).toBeHidden()
    await submit.click()
    await expectScreen(page, t, 'results', front.url + paths.results(player.instanceId))
    const { data } = await player.api.ask(instances.list, { query: {} })
    expect(data.map(({ status }) => status)).toEqual(['COMPLETED'])
    // the disk takes answers again: nothing is unsent
    await page.evaluate(() => dispatchEvent(new Event('diskFree')))
    await page.goto(front.url + paths.home())
    await expectScreen(page, t, 'home', front.url + paths.home())
    await expect(page.getByRole('link', { name: startOf(t('player:ViewResultsOf', { name: '' })) })).toBeVisible()
    await expect(page.getByText(t('player:SeeStrandedAnswers'))).toHaveCount(0)
  })
}

test('Submit on a full disk also sends answers that were stored before it was full', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url, { questions: 74 })
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await installFillingDisk(page)
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await expect(page.getByText(t('assessment:TestLeft', { count: script.length - 74 }), { exact: true })).toBeVisible()
  front.bend(/^\/api\//, cut)
  await answerAll(page, t, script.slice(74))
  await page.evaluate(() => dispatchEvent(new Event('diskFull')))
  front.mend()
  await expect(page.getByText(t('shell:Offline'))).toBeHidden()
  await page.getByRole('button', { name: t('assessment:TestSubmit') }).click()
  await expectScreen(page, t, 'results', front.url + paths.results(player.instanceId))
  expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script))
  // the disk takes answers again: none is reported as unsent
  await page.evaluate(() => dispatchEvent(new Event('diskFree')))
  await page.goto(front.url + paths.home())
  await expect(page.getByRole('link', { name: startOf(t('player:ViewResultsOf', { name: '' })) })).toBeVisible()
  await expect(page.getByText(t('player:SeeStrandedAnswers'))).toHaveCount(0)
})

test('the dashboard says which answers exist only in the open page if the disk is full from the start', async ({
  page,
  context,
  t,
  server,
  front,
}) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  const devtools = await context.newCDPSession(page)
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: front.url, quotaSize: 20_000 })
  front.bend(/\/responses/, tooLarge)
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await answerAll(page, t, script.slice(0, 2))
  await expect(page.getByRole('alert').filter({ hasText: t('assessment:TestNotSavedOnDevice') })).toBeVisible()
  await page.getByRole('button', { name: t('assessment:TestSaveAndExit') }).click()
  await expect(page.getByText(t('player:NotOnDevice', { count: 2 }))).toBeVisible()
})

test('answers that neither the disk nor the server takes can be downloaded', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await page.clock.install()
  await installFillingDisk(page)
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  front.bend(/^\/api\/assessment\/assessment-instance\/responses/, tooLarge)
  await page.evaluate(() => dispatchEvent(new Event('diskFull')))
  await answerAll(page, t, script.slice(0, 1))
  await page.clock.runFor(5000)
  await expect(page.getByRole('alert').filter({ hasText: t('assessment:TestNotSavedOnDevice') })).toBeVisible()
  const offer = page.getByRole('button', { name: t('parts:CannotSendDownload') })
  const { text } = await savedFile(page, offer)
  expect(await bringByApi(server.url, text)).toMatchObject({ stored: 1 })
  expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 1)))
})

test('signing in and changing the language work with a full local storage', async ({ page, t }) => {
  await page.addInitScript(() => {
    // an empty one that takes nothing counts as blocked (blocked-storage.e2e.ts)
    for (const storage of [localStorage, sessionStorage]) storage.setItem('filled', 'x')
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded', 'QuotaExceededError')
    }
  })
  // the path to return to cannot be stored
  await page.goto(paths.profile())
  await expectScreen(page, t, 'login', paths.login())
  await speak(page, 'fr')
  const french = wordsOf('fr')
  await page.getByLabel(french('auth:Email')).fill(newAddress())
  await page.getByRole('button', { name: french('auth:SendCode') }).click()
  await expect(page.getByText(french('errors:STORAGE_FULL'), { exact: true }).first()).toBeVisible()
})
