import type { Route } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { installClock } from './support/clock.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { answerAll } from './support/questionnaire.ts'

/** An hour in which the session cannot be renewed: a phone must not use up the limit of its club's network. SESSION-10 */

const HOUR_MS = 3_600_000
/** the most calls of one phone in that hour */
const CALLS_MAXIMUM = 130

const html = { contentType: 'text/html', body: '<h1>Wi-Fi</h1>' }
const WAYS: Record<string, (route: Route) => Promise<void>> = {
  'an error of the server': (route) => route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'x', requestId: 'x' } }),
  'a cut connection': (route) => route.abort(),
  'a portal’s sign-in page': (route) => route.fulfill({ status: 401, ...html }),
}

for (const [way, bend] of Object.entries(WAYS)) {
  test(`${way} for an hour of refreshing: few calls, and the answer is sent afterwards`, async ({ page, t, server }) => {
    test.setTimeout(180_000)
    const player = await newPlayer(server.url)
    const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
    const clock = await installClock(page)
    await arriveAs(page, player, paths.test(player.instanceId))
    await answerAll(page, t, script.slice(0, 1))
    await expect.poll(() => storedAnswers(player, player.instanceId)).not.toEqual({})
    const calls: string[] = []
    await page.route('**/api/**/refresh', bend)
    await page.evaluate(() => {
      localStorage.setItem('accessToken', `${localStorage.getItem('accessToken')}x`)
      localStorage.setItem('expiresAt', '1')
    })
    await page.reload()
    await answerAll(page, t, script.slice(1, 2))
    page.on('request', (request) => request.url().includes('/api/') && calls.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await clock.pass(HOUR_MS)
    expect(calls.length, calls.join('\n')).toBeLessThanOrEqual(CALLS_MAXIMUM)
    await page.unrouteAll()
    const before = await storedAnswers(player, player.instanceId)
    await clock.passUntil(async () => Object.keys(await storedAnswers(player, player.instanceId)).length > Object.keys(before).length)
  })
}
