import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { answersOf, newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { replyLost } from './support/front.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { answerAll } from './support/questionnaire.ts'
import { startOf } from './support/words.ts'

test('killed while answers are saved: what was called saved is there, the rest follows', async ({ page, t, server }) => {
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

for (const { step, path } of [
  { step: 'the answers', path: /^\/api\/assessment\/assessment-instance\/responses/ },
  { step: 'the completion', path: /\/complete$/ },
]) {
  for (const when of ['before', 'after'] as const) {
    test(`killed during Submit, ${when} ${step}: it completes once, by itself`, async ({ page, t, server, front }) => {
      const player = await newPlayer(server.url, { questions: 74 })
      const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
      await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
      await expect(page.getByText(t('assessment:TestLeft', { count: 2 }), { exact: true })).toBeVisible()
      let hasDied = false
      front.bend(path, (incoming, reply, pass) => {
        if (hasDied) return pass()
        if (!script.slice(74).every(({ id }) => answered.has(id))) return void incoming.socket.destroy()
        hasDied = true
        if (when === 'after') return dieAfter(incoming, reply, pass)
        incoming.socket.destroy()
        void server.kill()
      })
      const answered = new Set<string>()
      const dieAfter = (...given: Parameters<ReturnType<typeof replyLost>>) => {
        given[0].socket.once('close', () => void server.kill())
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
      await expect(page).toHaveURL(front.url + paths.results(player.instanceId), { timeout: 45_000 })
      await expect(page.getByRole('heading', { name: t('assessment:ResultsOverviewTitle') })).toBeVisible()
      expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script))
      const { data } = await player.api.ask(instances.list, { query: {} })
      expect(data.map(({ status }) => status)).toEqual(['COMPLETED'])
    })
  }
}
