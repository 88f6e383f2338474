/** From the start of a navigation to the first question that can be answered: cold by a slow line, and offline from the worker. */
import type { Browser, Page } from 'playwright'
import { freshContext, pause, slowDown, tapNext, type Site } from './browser.ts'
import type { Measured } from './figures.ts'
import { pairedRatio, spread } from './statistics.ts'
import type { Sites } from './sites.ts'

const TIME_LIMIT = 60_000

async function timeToQuestion(page: Page, site: Site): Promise<number> {
  await page.goto(site.origin + site.path, { waitUntil: 'commit', timeout: TIME_LIMIT })
  const opened = await page.evaluate(() => window.bench.opened)
  // a question that shows but keeps nothing is not answerable
  const tap = await tapNext(page, 'phone')
  if (!tap?.wasShown) throw new Error(`${site.name}: the first question was on screen, but a tap on it was not taken`)
  return opened
}

async function cold(browser: Browser, site: Site): Promise<number> {
  const context = await freshContext(browser, site, 'phone')
  try {
    const page = await context.newPage()
    await slowDown(page, { isNetworkSlow: true })
    return await timeToQuestion(page, site)
  } finally {
    await context.close()
  }
}

async function offline(browser: Browser, site: Site): Promise<number> {
  const context = await freshContext(browser, site, 'phone')
  try {
    const before = await context.newPage()
    await before.goto(site.origin + site.path)
    await before.evaluate(() => window.bench.opened)
    await before.waitForFunction(() => navigator.serviceWorker.controller !== null, null, { timeout: TIME_LIMIT })
    await pause(1000)
    await before.close()
    await context.setOffline(true)
    const page = await context.newPage()
    const session = await slowDown(page, { isNetworkSlow: false })
    // who opens an app has no worker running yet
    await session.send('ServiceWorker.enable')
    await session.send('ServiceWorker.stopAllWorkers')
    return await timeToQuestion(page, site)
  } finally {
    await context.close()
  }
}

const ways = { cold, offline }

export async function measureFirstQuestion(browser: Browser, sites: Sites, key: keyof typeof ways, runs: number): Promise<Measured[]> {
  const times: Record<Site['name'], number[]> = { ours: [], react: [], floor: [] }
  const measure = ways[key]
  for (let run = 0; run < runs; run += 1) {
    for (const site of [await sites.ours(), sites.react, sites.floor]) times[site.name].push(await measure(browser, site))
  }
  const seconds = (name: Site['name']) => `${(spread(times[name]).median / 1000).toFixed(2)} s`
  return [
    {
      key,
      value: pairedRatio(times.ours, times.react),
      ours: seconds('ours'),
      yardstick: `plain React ${seconds('react')} (floor ${seconds('floor')})`,
      detail: times,
    },
  ]
}
