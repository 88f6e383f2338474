/** Measures a call of a page whose worker the browser has stopped, as it does after half a minute without an event. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser } from 'playwright'
import { freshContext, slowDown } from './browser.ts'
import type { Measured } from './figures.ts'
import type { Sites } from './sites.ts'
import { pairedRatio, spread } from './statistics.ts'

const TIME_LIMIT = 60_000
/** until the worker has ended */
const STOPPED_AFTER = 300

export async function measureIdleCall(browser: Browser, sites: Sites, runs: number): Promise<Measured[]> {
  const callers = [await openCaller(browser, await sites.ours()), await openCaller(browser, sites.react)] as const
  const times: [ours: number[], react: number[]] = [[], []]
  try {
    for (let run = 0; run < runs; run += 1) {
      for (const place of [0, 1] as const) times[place].push(await callers[place].call())
    }
  } finally {
    for (const caller of callers) await caller.close()
  }
  const [ours, react] = times
  const text = (of: number[]) => `${spread(of).median.toFixed(0)} ms`
  return [
    {
      key: 'idle-call',
      value: pairedRatio(ours, react),
      ours: text(ours),
      yardstick: `plain React ${text(react)}`,
      detail: { ours, react },
    },
  ]
}

async function openCaller(browser: Browser, site: Sites['react']) {
  const context = await freshContext(browser, site, 'phone')
  const page = await context.newPage()
  await page.goto(site.origin + site.path)
  await page.evaluate(() => window.bench.opened)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, null, { timeout: TIME_LIMIT })
  const session = await slowDown(page, { isNetworkSlow: false })
  await session.send('ServiceWorker.enable')
  return {
    async call(): Promise<number> {
      await session.send('ServiceWorker.stopAllWorkers')
      await delay(STOPPED_AFTER)
      return page.evaluate(async () => {
        const began = performance.now()
        // the yardstick's server has none and says so: the way there is the same
        await (await fetch('/api/health', { cache: 'no-store' })).text()
        return performance.now() - began
      })
    },
    close: () => context.close(),
  }
}
