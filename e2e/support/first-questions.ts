import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import type { Language } from '#contract/languages.ts'
import { newPlayer, scriptOf, storedAnswers } from './api.ts'
import { fileMissing, type Front } from './front.ts'
import { arriveAs, expect, gate } from './journey.ts'
import { questionOf } from './questionnaire.ts'
import type { ProductServer } from './server.ts'
import { wordsOf } from './words.ts'

/**
 * Opens the questionnaire on a line on which React does not arrive until `app.open()`.
 * @param isMissing the server no longer has it then
 */
export async function openWithoutApp(
  page: Page,
  server: ProductServer,
  front: Front,
  { questions = 0, language = 'en', isMissing = false }: { questions?: number; language?: Language; isMissing?: boolean } = {},
) {
  const player = await newPlayer(server.url, { questions })
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }, language))
  const app = gate()
  front.bend(/^\/assets\/vendor-/, (incoming, reply, pass) => {
    void app.opened.then(() => (isMissing ? fileMissing(incoming, reply, pass) : pass()))
  })
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url, language })
  const question = script[questions]
  if (!question) throw new Error('There are not so many questions')
  await expect(questionOf(page, question)).toBeVisible()
  return { player, script, question, app, stored: () => storedAnswers(player, player.instanceId) }
}

/** The app is there once what it alone can do is possible. */
export const appOf = (page: Page, language: Language = 'en') =>
  page.getByRole('button', { name: wordsOf(language)('assessment:TestSaveAndExit'), disabled: false })
