import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { LANGUAGES } from '#contract/languages.ts'
import { manifestFileOf } from '#contract/web-manifest.ts'
import { newPlayer, scriptOf, signInByApi } from './support/api.ts'
import { arriveAs, expect, goOffline, goOnline, signOut, test, untilWorkerIsThere, workerTest } from './support/journey.ts'
import { answerAll } from './support/questionnaire.ts'
import { expectScreen } from './support/screens.ts'
import { DEMO_COACH } from './support/team-panel.ts'
import { wordsOf } from './support/words.ts'

/** What the installed app has beside its screens: names, shortcuts, a badge. INSTALL-1, INSTALL-6, INSTALL-8 */

const manifestOf = (page: Page) => page.locator('link[rel=manifest]').getAttribute('href')

test('the manifest is that of the language, with pictures that are there and not stored for no signal', async ({ page, t, server }) => {
  await arriveAs(page, await newPlayer(server.url), paths.about())
  await expect.poll(() => manifestOf(page)).toBe(`/${manifestFileOf('en')}`)
  await page.getByRole('button', { name: 'Français' }).click()
  await expect.poll(() => manifestOf(page)).toBe(`/${manifestFileOf('fr')}`)
  await page.reload()
  await expect.poll(() => manifestOf(page)).toBe(`/${manifestFileOf('fr')}`)
  expect(t('manifest:Continue')).not.toBe(wordsOf('fr')('manifest:Continue'))
  for (const language of LANGUAGES) {
    const reply = await fetch(`${server.url}/${manifestFileOf(language)}`)
    expect(reply.headers.get('content-type')).toMatch(/manifest\+json/)
    expect(reply.headers.get('cache-control')).toBe('no-cache')
    const manifest = (await reply.json()) as { shortcuts: { name: string }[]; screenshots: { src: string }[] }
    expect(manifest.shortcuts[0]?.name).toBe(wordsOf(language)('manifest:Continue'))
    for (const { src } of manifest.screenshots) expect((await fetch(server.url + src)).headers.get('content-type')).toBe('image/webp')
  }
  expect(await (await fetch(`${server.url}/sw.js`)).text()).not.toContain('screenshots/')
})

workerTest('“Continue” leads to the assessment under way, also without a signal', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  const [first, second] = script
  if (!first || !second) throw new Error('no questions')
  // nothing begun yet
  await arriveAs(page, player, paths.continue())
  await expectScreen(page, t, 'home', server.url + paths.home())
  await page.goto(paths.test(player.instanceId))
  await untilWorkerIsThere(page)
  await answerAll(page, t, [first])
  await goOffline(page, t)
  await answerAll(page, t, [second])
  await page.goto(paths.continue())
  await expectScreen(page, t, 'test', server.url + paths.test(player.instanceId))
  await goOnline(page, t)
})

test('“Continue” finds what was begun on another device, and is the dashboard for coaches', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { questions: 2 })
  await arriveAs(page, player, paths.continue())
  await expectScreen(page, t, 'test', server.url + paths.test(player.instanceId))
  await arriveAs(page, await signInByApi(server.url, DEMO_COACH, 'coach'), paths.continue())
  await expectScreen(page, t, 'home', server.url + paths.home())
})

workerTest('the badge is what waits, and goes when it is sent and at sign-out', async ({ page, t, server }) => {
  await page.addInitScript(() => {
    const badge = window as unknown as { badge?: number }
    Object.defineProperty(navigator, 'setAppBadge', {
      value: async (count: number) => {
        badge.badge = count
      },
    })
  })
  const badge = () => page.evaluate(() => (window as unknown as { badge?: number }).badge)
  // the app comes to the front or leaves it
  const turn = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await arriveAs(page, player, paths.test(player.instanceId))
  await untilWorkerIsThere(page)
  await expect.poll(badge).toBe(0)
  await goOffline(page, t)
  await answerAll(page, t, script.slice(0, 2))
  await turn()
  await expect.poll(badge).toBe(2)
  await goOnline(page, t)
  await expect.poll(badge, { timeout: 20_000 }).toBe(0)

  await goOffline(page, t)
  await answerAll(page, t, script.slice(2, 3))
  await turn()
  await expect.poll(badge).toBe(1)
  await page.getByRole('button', { name: t('assessment:TestSaveAndExit') }).click()
  await signOut(page, t)
  await page.getByRole('button', { name: t('leaving:KeepAndSignOut') }).click()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  await expect.poll(badge).toBe(0)
})
