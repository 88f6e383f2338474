/**
 * Measures from the start of a navigation to the first question on screen, and to the commit of a tap at that moment: over a
 * slow network without a cache, and offline from the worker.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from 'playwright'
import { freshContext, slowDown, type Site } from './browser.ts'
import type { Measured } from './figures.ts'
import { pairedRatio, spread } from './statistics.ts'
import { openWeakLine } from '../../e2e/support/weak-line.ts'
import type { Sites } from './sites.ts'

const TIME_LIMIT = 60_000

interface Start {
  visible: number
  onDisk: number
}

async function timeToQuestion(page: Page, site: Site): Promise<Start> {
  await page.addInitScript(() => {
    window.tapsFirst = true
  })
  await page.goto(site.origin + site.path, { waitUntil: 'commit', timeout: TIME_LIMIT })
  const visible = await page.evaluate(() => window.bench.opened)
  const onDisk = await page.evaluate(() => window.bench.firstOnDisk())
  if ((await page.locator('input[type=radio]:checked').count()) === 0) throw new Error(`${site.name}: the first tap was not taken`)
  return { visible, onDisk }
}

async function cold(browser: Browser, site: Site): Promise<Start> {
  const context = await freshContext(browser, site, 'phone')
  try {
    const page = await context.newPage()
    await slowDown(page, { isNetworkSlow: true })
    return await timeToQuestion(page, site)
  } finally {
    await context.close()
  }
}

async function offline(browser: Browser, site: Site): Promise<Start> {
  const context = await freshContext(browser, site, 'phone')
  try {
    const before = await context.newPage()
    await before.goto(site.origin + site.path)
    await before.evaluate(() => window.bench.opened)
    await before.waitForFunction(() => navigator.serviceWorker.controller !== null, null, { timeout: TIME_LIMIT })
    await delay(1000)
    await before.close()
    await context.setOffline(true)
    const page = await context.newPage()
    const session = await slowDown(page, { isNetworkSlow: false })
    // when a person opens the app, its worker is not running yet
    await session.send('ServiceWorker.enable')
    await session.send('ServiceWorker.stopAllWorkers')
    return await timeToQuestion(page, site)
  } finally {
    await context.close()
  }
}

const ways = { cold, offline }

export async function measureFirstQuestion(browser: Browser, sites: Sites, key: keyof typeof ways, runs: number): Promise<Measured[]> {
  const starts: Record<Site['name'], Start[]> = { ours: [], react: [], floor: [] }
  const measure = ways[key]
  for (let run = 0; run < runs; run += 1) {
    for (const site of [await sites.ours(), sites.react, sites.floor]) starts[site.name].push(await measure(browser, site))
  }
  return (['visible', 'onDisk'] as const).map((moment) => {
    const times = (name: Site['name']) => starts[name].map((start) => start[moment])
    const seconds = (name: Site['name']) => `${(spread(times(name)).median / 1000).toFixed(2)} s`
    return {
      key: moment === 'visible' ? key : `${key}-on-disk`,
      value: pairedRatio(times('ours'), times('react')),
      ours: seconds('ours'),
      yardstick: `plain React ${seconds('react')} (floor ${seconds('floor')})`,
      detail: { ours: times('ours'), react: times('react'), floor: times('floor') },
    }
  })
}

/** A phone at the edge of the net: 300 ms a round trip, and every fifth segment lost. */
const WEAK_LINE = { bitsPerSecond: 64_000, delayMs: 150, lostPercent: 20 }

export async function measureWeakLine(browser: Browser, sites: Sites, runs: number): Promise<Measured[]> {
  const opened: number[] = []
  const progress: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const site = await sites.ours()
    const line = await openWeakLine(site.origin, WEAK_LINE)
    const context = await freshContext(browser, { ...site, origin: line.url }, 'phone')
    try {
      const page = await context.newPage()
      await page.goto(line.url + site.path, { waitUntil: 'commit', timeout: TIME_LIMIT })
      opened.push((await page.evaluate(() => window.bench.opened)) / 1000)
      const progressAt = await page.evaluate(() => window.bench.progressAt())
      if (progressAt === undefined) throw new Error('the page did not show its progress')
      progress.push(progressAt / 1000)
    } finally {
      await context.close()
      await line.close()
    }
  }
  return [
    { key: 'weak-line', value: spread(opened), ours: `${spread(opened).median.toFixed(1)} s` },
    { key: 'weak-line-progress', value: spread(progress), ours: `${spread(progress).median.toFixed(2)} s` },
  ]
}
