import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { answersOf, newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { arriveAs, expect, workerTest as test } from './support/journey.ts'
import { KillableBrowser } from './support/killable-browser.ts'
import { answer, expectAnswered } from './support/questionnaire.ts'

/** `BROWSER_KILLS=300` kills it more often. */
const KILLS = Number(process.env['BROWSER_KILLS'] ?? 2)
const PER_PLAYER = 10

test('a browser killed right after it said that an answer is saved has it when it is opened again', async ({ t, server }) => {
  test.setTimeout(60_000 + KILLS * 30_000)
  const browser = await KillableBrowser.make()
  try {
    for (let kill = 0; kill < KILLS;) {
      const player = await newPlayer(server.url)
      const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
      const path = server.url + paths.test(player.instanceId)
      const arriving = await browser.open()
      await arriveAs(arriving, player, paths.test(player.instanceId))
      await answer(arriving, t, script[0] as (typeof script)[number])
      await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 1)))
      await browser.close()
      const turns = Math.min(PER_PLAYER, KILLS - kill)
      for (let turn = 1; turn <= turns; turn += 1, kill += 1) {
        const question = script[turn]
        if (!question) throw new Error('the questionnaire is too short')
        const page = await browser.open()
        // half of them without a line: then nothing but the disk has the answer
        const isOffline = turn % 2 === 0
        await page.goto(path)
        for (const before of script.slice(Math.max(turn - 2, 0), turn)) await expectAnswered(page, t, before)
        if (isOffline) await page.context().setOffline(true)
        await answer(page, t, question)
        // the line is hidden from the tap until the answer is on the disk
        const notSent = (count: number) => page.getByText(t('assessment:TestSavedOnDevice', { count }))
        // the one before may not have been sent either
        const onDevice = notSent(1).or(notSent(2))
        const sent = page.getByText(t('assessment:TestSending')).or(page.getByText(t('assessment:TestSavedToAccount', { time: '' }).trim()))
        await expect(isOffline ? onDevice : onDevice.or(sent)).toBeVisible()
        await browser.kill()
      }
      const last = await browser.open()
      await last.goto(path)
      const given = script.slice(0, turns + 1)
      await expect.poll(() => storedAnswers(player, player.instanceId), { timeout: 45_000 }).toEqual(answersOf(given))
      await browser.close()
    }
  } finally {
    await browser.throwAway()
  }
})
