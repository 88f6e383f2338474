import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { bringByApi, savedFile } from './support/answers-file.ts'
import { answersOf, newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { launchOptions } from './support/browser.ts'
import { askForCode, expect, workerTest as test, typeCode } from './support/journey.ts'
import { answerAll, expectAnswered } from './support/questionnaire.ts'
import { expectScreen } from './support/screens.ts'
import { startOf } from './support/words.ts'

/** A demo on the club's own network: any address but localhost on plain http has no random ids, no Web Crypto, no locks between tabs and no worker. */

const given = await launchOptions()
test.use({ launchOptions: { ...given, args: [...(given.args ?? []), '--host-resolver-rules=MAP club.lan 127.0.0.1'] } })

test('answers are stored and sent on plain http', async ({ page, t, api, server }) => {
  const origin = server.url.replace('127.0.0.1', 'club.lan')
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } })).slice(0, 2)
  await page.goto(origin + paths.login())
  expect(await page.evaluate(() => [isSecureContext, 'locks' in navigator, 'serviceWorker' in navigator])).toEqual([false, false, false])
  await askForCode(page, t, player.email)
  await typeCode(page, t, await api.code(player.email))
  await expectScreen(page, t, 'home', origin + paths.home())
  await page.goto(origin + paths.test(player.instanceId))
  await answerAll(page, t, script)
  await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
  expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script))
  await page.reload()
  for (const question of script) await expectAnswered(page, t, question)
  // the file is sealed without Web Crypto, which is missing here
  await page.goto(origin + paths.device())
  const { text } = await savedFile(page, page.getByRole('button', { name: t('device:SaveFile') }))
  expect(await bringByApi(server.url, text)).toMatchObject({ stored: 0, there: 2 })
})
