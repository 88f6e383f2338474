import { existsSync } from 'node:fs'
import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, LaunchOptions, Page } from 'playwright'
import { chromium } from 'playwright'
import { packedBrowser } from '#tools/packed-browser.ts'
import { installProbe } from './probe.ts'

const ARGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update']
const SYSTEM = '/usr/bin/chromium'

/** The system's Chromium, otherwise one from npm. */
export async function launchOptions(): Promise<LaunchOptions> {
  if (existsSync(SYSTEM)) return { executablePath: SYSTEM, args: ARGS }
  const { path, libraries } = await packedBrowser()
  return { executablePath: path, args: ARGS, env: { ...process.env, LD_LIBRARY_PATH: libraries } }
}

export async function launch(): Promise<Browser> {
  return chromium.launch(await launchOptions())
}

export const layouts = {
  wide: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
} satisfies Record<string, BrowserContextOptions>
export type Layout = keyof typeof layouts

/** A page of questions to measure: its address, and the contents of its storage when it is opened. */
export interface Site {
  name: 'ours' | 'react' | 'floor'
  origin: string
  path: string
  /** local storage: the product's session */
  stored: Record<string, string>
}

/** A new browser profile that has only the local storage of a signed-in person. */
export async function freshContext(browser: Browser, site: Site, layout: Layout): Promise<BrowserContext> {
  // the yardsticks get an entry too, so that all three start with the same conditions
  const stored = Object.keys(site.stored).length > 0 ? site.stored : { bench: 'yes' }
  const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }))
  const context = await browser.newContext({
    ...layouts[layout],
    locale: 'en-GB',
    storageState: { cookies: [], origins: [{ origin: site.origin, localStorage }] },
  })
  await context.addInitScript(installProbe)
  return context
}

/** SPEED-1: a processor 4 times slower and, for a slow network, 1.6 Mbit/s down with a round trip of 150 ms. */
export async function slowDown(page: Page, { isNetworkSlow }: { isNetworkSlow: boolean }): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  if (isNetworkSlow) {
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: 1_600_000 / 8,
      uploadThroughput: 750_000 / 8,
    })
  }
  return session
}

/** Taps the next unanswered item and waits until it is painted and committed; undefined when the document has none left. */
export async function tapNext(page: Page, layout: Layout) {
  const place = await page.evaluate(() => window.bench.aim())
  if (!place) return undefined
  await page.evaluate(() => window.bench.arm())
  if (layout === 'phone') await page.touchscreen.tap(place.x, place.y)
  else await page.mouse.click(place.x, place.y)
  return page.evaluate(() => window.bench.tapped())
}
