import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { answersOf, buy, newPlayer, scriptOf, signInByApi, storedAnswers } from './support/api.ts'
import { replyLost } from './support/front.ts'
import { arriveAs, askForCode, expect, goOffline, workerTest as test, typeCode } from './support/journey.ts'
import { answerAll } from './support/questionnaire.ts'
import type { ProductServer } from './support/server.ts'
import { startOf, type Words } from './support/words.ts'
import { expectScreen } from './support/screens.ts'

test('a server killed while answers are saved has those reported as saved, and the rest follows', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await arriveAs(page, player, paths.test(player.instanceId))
  await answerAll(page, t, script.slice(0, 3))
  await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
  await server.kill()
  await answerAll(page, t, script.slice(3, 6))
  await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: 3 }))).toBeVisible()
  await server.restart()
  await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible({ timeout: 45_000 })
  expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 6)))
})

/** Three answers are in the account and on the screen; the server's backup has only the first. */
async function forgetTwo(page: Page, t: Words, server: ProductServer) {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await arriveAs(page, player, paths.test(player.instanceId))
  await answerAll(page, t, script.slice(0, 1))
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 1)))
  const putBack = await server.backUp()
  await answerAll(page, t, script.slice(1, 3))
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 3)))
  await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
  await putBack()
  expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 1)))
  return { player, script }
}

test('after a restore under an open questionnaire the next answer sends the lost ones again', async ({ page, t, server }) => {
  const { player, script } = await forgetTwo(page, t, server)
  await answerAll(page, t, script.slice(3, 4))
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 4)))
  await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
})

test('after a restore the dashboard alone sends the lost answers again', async ({ page, t, server }) => {
  const { player, script } = await forgetTwo(page, t, server)
  await page.goto(paths.home())
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 3)))
  await expect(page.getByText(startOf(t('player:SavedToAccount')))).toBeVisible()
})

test('after a restore older than the sign-in, signing in again sends the lost answers', async ({ page, t, api, server }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  const putBack = await server.backUp()
  const younger = await signInByApi(server.url, player.email)
  await arriveAs(page, younger, paths.test(player.instanceId))
  await answerAll(page, t, script.slice(0, 3))
  await expect.poll(() => storedAnswers(younger, player.instanceId)).toEqual(answersOf(script.slice(0, 3)))
  await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
  // else the page may notice before the answer is given
  await goOffline(page, t)
  await putBack()
  expect(await storedAnswers(player, player.instanceId)).toEqual({})
  await answerAll(page, t, script.slice(3, 4))
  await page.context().setOffline(false)
  await expectScreen(page, t, 'login', paths.login())
  await askForCode(page, t, player.email)
  await typeCode(page, t, await api.code(player.email))
  await expectScreen(page, t, 'test', paths.test(player.instanceId))
  await expect.poll(() => storedAnswers(player, player.instanceId), { timeout: 45_000 }).toEqual(answersOf(script.slice(0, 4)))
})

/** Buys an assessment after a backup, and answers `count` questions, until the account has the answers. */
async function saveAfterBackup(page: Page, t: Words, server: ProductServer, count: number) {
  const player = await newPlayer(server.url, { hasBought: false })
  const putBack = await server.backUp()
  const instanceId = await buy(player)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId } }))
  await arriveAs(page, player, paths.test(instanceId))
  await answerAll(page, t, script.slice(0, count))
  await expect.poll(() => storedAnswers(player, instanceId)).toEqual(answersOf(script.slice(0, count)))
  await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
  return { script, putBack }
}

test('after a restore older than the assessment nothing says that its answers are saved, and they can be kept or discarded', async ({
  page,
  t,
  server,
}) => {
  const { putBack } = await saveAfterBackup(page, t, server, 2)
  await putBack()
  await page.goto(paths.home())
  await expect(page.getByText(t('player:StrandedAnswers', { count: 2 }))).toBeVisible()
  await page.goto(paths.device())
  await expect(page.getByRole('status').getByText(t('device:WaitingAnswers', { count: 2 }))).toBeVisible()
  await expect(page.getByText(t('player:NotSent', { reason: t('errors:NOT_FOUND') }))).toBeVisible()
  await page.getByRole('button', { name: t('device:Discard') }).click()
  await page.getByRole('button', { name: t('device:DiscardConfirm', { count: 2 }) }).click()
  await expect(page.getByText(t('device:WaitingNothing'))).toBeVisible()
})

test('after a restore older than the assessment those that were saved count beside one that was not sent', async ({ page, t, server }) => {
  const { script, putBack } = await saveAfterBackup(page, t, server, 1)
  await goOffline(page, t)
  await answerAll(page, t, script.slice(1, 2))
  await putBack()
  await page.context().setOffline(false)
  await page.goto(paths.home())
  await expect(page.getByText(t('player:StrandedAnswers', { count: 2 }))).toBeVisible()
})

for (const { step, path } of [
  { step: 'the answers', path: /^\/api\/assessment\/assessment-instance\/responses/ },
  { step: 'the completion', path: /\/complete$/ },
]) {
  for (const when of ['before', 'after'] as const) {
    test(`Submit completes once, by itself, if the server is killed ${when} ${step}`, async ({ page, t, server, front }) => {
      const player = await newPlayer(server.url, { questions: 74 })
      const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
      await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
      await expect(page.getByText(t('assessment:TestLeft', { count: 2 }), { exact: true })).toBeVisible()
      let isDying = false
      let hasDied = false
      const die = () => void server.kill().then(() => (hasDied = true))
      front.bend(path, (incoming, reply, pass) => {
        if (isDying) return pass()
        if (!script.slice(74).every(({ id }) => answered.has(id))) return void incoming.socket.destroy()
        isDying = true
        if (when === 'after') return dieAfter(incoming, reply, pass)
        incoming.socket.destroy()
        die()
      })
      const answered = new Set<string>()
      const dieAfter = (...given: Parameters<ReturnType<typeof replyLost>>) => {
        given[0].socket.once('close', die)
        replyLost(server.url)(...given)
      }
      for (const question of script.slice(74)) {
        await answerAll(page, t, [question])
        answered.add(question.id)
      }
      await page.getByRole('button', { name: t('assessment:TestSubmit') }).click()
      await expect(page.getByRole('heading', { name: t('assessment:TestFinishedTitle') })).toBeVisible()
      await expect.poll(() => hasDied).toBe(true)
      await server.restart()
      await expectScreen(page, t, 'results', front.url + paths.results(player.instanceId), { timeout: 45_000 })
      await expect(page.getByRole('heading', { name: t('results:ResultsOverviewTitle') })).toBeVisible()
      expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script))
      const { data } = await player.api.ask(instances.list, { query: {} })
      expect(data.map(({ status }) => status)).toEqual(['COMPLETED'])
    })
  }
}
