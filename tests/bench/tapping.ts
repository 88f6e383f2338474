/** Time until a tap is painted and until it is on the disk, and the memory that a hundred taps take. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from 'playwright'
import { freshContext, slowDown, tapNext, type Layout, type Site } from './browser.ts'
import type { Measured } from './figures.ts'
import { largeInstance } from './large-instance.ts'
import type { Tap } from './probe.ts'
import type { Sites } from './sites.ts'
import { median, pairedRatio, quantile, spread } from './statistics.ts'

const ANSWERS = 100
// as a quick reader taps, so that the background work of an answer overlaps with the next taps as in real use
const BETWEEN_TAPS = 150
const NEXT = '.test-next'

interface Run {
  paint: number[]
  commit: number[]
  /** MB */
  heap: number
}

async function tapThrough(browser: Browser, site: Site, layout: Layout, isLarge: boolean): Promise<Run> {
  const context = await freshContext(browser, site, layout)
  try {
    const page = await context.newPage()
    if (isLarge) await largeInstance(context, page)
    const session = await slowDown(page, { isNetworkSlow: false })
    await page.goto(site.origin + site.path)
    await page.evaluate(() => window.bench.opened)
    await delay(1500)
    const taps: Tap[] = []
    while (taps.length < ANSWERS) {
      const tap = await tapNext(page, layout)
      if (!tap) {
        await goOn(page, layout)
        continue
      }
      if (!tap.wasShown || tap.durability !== 'strict') throw new Error(`${site.name}: a tap was not as it must be: ${JSON.stringify(tap)}`)
      taps.push(tap)
      await delay(BETWEEN_TAPS)
    }
    await session.send('HeapProfiler.enable')
    await delay(2000)
    await session.send('HeapProfiler.collectGarbage')
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number }
    return { paint: taps.map((tap) => tap.painted), commit: taps.map((tap) => tap.committed), heap: usedSize / 1_000_000 }
  } finally {
    await context.close()
  }
}

async function goOn(page: Page, layout: Layout): Promise<void> {
  const next = page.locator(NEXT)
  if (layout === 'phone') await next.tap({ timeout: 5000 })
  else await next.click({ timeout: 5000 })
  await delay(250)
}

/** The product with its own items and with 1,000, each compared with the floor, which always has 112. */
export async function measureTaps(browser: Browser, sites: Sites, layout: Layout, runs: number): Promise<Measured[]> {
  const ours: Run[] = []
  const large: Run[] = []
  const floor: Run[] = []
  for (let run = 0; run < runs; run += 1) {
    ours.push(await tapThrough(browser, await sites.ours(), layout, false))
    floor.push(await tapThrough(browser, sites.floor, layout, false))
    large.push(await tapThrough(browser, await sites.ours(), layout, true))
  }
  const against = (key: string, measured: Run[], of: (run: Run) => number): Measured => {
    const [own, others] = [measured.map(of), floor.map(of)]
    const ms = (values: number[]) => `${spread(values).median.toFixed(1)} ms`
    return { key, value: pairedRatio(own, others), ours: ms(own), yardstick: `floor ${ms(others)}`, detail: { ours: own, floor: others } }
  }
  const p98 = (run: Run) => quantile(run.paint, 0.98)
  const heap = spread(ours.map((run) => run.heap))
  return [
    against(`paint-median-${layout}`, ours, (run) => median(run.paint)),
    against(`paint-p98-${layout}`, ours, p98),
    against(`paint-median-${layout}-1000`, large, (run) => median(run.paint)),
    against(`paint-p98-${layout}-1000`, large, p98),
    against(`commit-${layout}`, ours, (run) => median(run.commit)),
    {
      key: `heap-${layout}`,
      value: heap,
      ours: `${heap.median.toFixed(1)} MB`,
      yardstick: `floor ${spread(floor.map((run) => run.heap)).median.toFixed(1)} MB`,
      detail: ours.map((run) => run.heap),
    },
  ]
}
