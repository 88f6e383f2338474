import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { answersOf, newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { refuseWith } from './support/front.ts'
import { arriveAs, expect, signOut, test } from './support/journey.ts'
import { answerAll } from './support/questionnaire.ts'

/** A browser in which session storage alone is blocked: its name throws. What a tab remembers is missing, and nothing else. */

test('answers are sent, also after a failure, and whoever signs out is signed out', async ({ page, t, server, front }) => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'sessionStorage', {
      get: () => {
        throw new DOMException('denied', 'SecurityError')
      },
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
