import type { Page, Request, Route } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { answerAll } from './support/questionnaire.ts'

/** An hour in which the session cannot be renewed: a phone must not use up the limit of its club's network. SESSION-10 */

const HOUR_MS = 3_600_000
// shorter than any call waits for its reply
const STEP_MS = 2500
/** the most calls of one phone in that hour */
const CALLS_MAXIMUM = 130

const html = { contentType: 'text/html', body: '<h1>Wi-Fi</h1>' }
const WAYS: Record<string, (route: Route) => Promise<void>> = {
  'an error of the server': (route) => route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'x', requestId: 'x' } }),
  'a cut connection': (route) => route.abort(),
  'a portal’s sign-in page': (route) => route.fulfill({ status: 401, ...html }),
}

/** The calls of a page that have no reply yet. */
function pendingCalls(page: Page): Set<Request> {
  const pending = new Set<Request>()
  page.on('request', (request) => request.url().includes('/api/') && pending.add(request))
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  return pending
}

/** Advances a page's clock by so much; it waits for every reply, so no call times out on a slow machine. */
async function passTime(page: Page, pending: Set<Request>, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += STEP_MS) {
    await page.clock.runFor(STEP_MS)
    await page.evaluate(() => fetch('/icons/favicon-32.png', { cache: 'force-cache' }).then((reply) => reply.text()))
    if (pending.size > 0) await expect.poll(() => pending.size).toBe(0)
  }
}

for (const [way, bend] of Object.entries(WAYS)) {
  test(`${way} for an hour of refreshing: few calls, and the answer is sent afterwards`, async ({ page, t, server }) => {
    test.setTimeout(180_000)
    const player = await newPlayer(server.url)
    const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
    await page.clock.install()
    const pending = pendingCalls(page)
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
    await passTime(page, pending, HOUR_MS)
    expect(calls.length, calls.join('\n')).toBeLessThanOrEqual(CALLS_MAXIMUM)
    await page.unrouteAll()
    const before = await storedAnswers(player, player.instanceId)
    await expect
      .poll(async () => {
        await passTime(page, pending, 60_000)
        return Object.keys(await storedAnswers(player, player.instanceId)).length
      })
      .toBeGreaterThan(Object.keys(before).length)
  })
}
