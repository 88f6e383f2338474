import { expect, type Page, type Request } from '@playwright/test'

// shorter than any call waits for its reply
const STEP_MS = 2500
const MINUTES_10 = 600_000

/** The clock of a page, advanced in steps that wait for every reply, so that no call times out on a slow machine. */
interface PageClock {
  /** Lets so many milliseconds pass. */
  pass: (milliseconds: number) => Promise<void>
  /** Lets time pass until it holds; fails after ten minutes. */
  passUntil: (holds: () => Promise<boolean>) => Promise<void>
}

/** To be called before the page is opened. */
export async function installClock(page: Page): Promise<PageClock> {
  const pending = new Set<Request>()
  page.on('request', (request) => request.url().includes('/api/') && pending.add(request))
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  await page.clock.install()

  async function pass(milliseconds: number): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += STEP_MS) {
      await page.clock.runFor(Math.min(STEP_MS, milliseconds - passed))
      // what the page requested before this is known once the reply is here
      await page.evaluate(() => fetch('/icons/favicon-32.png', { cache: 'force-cache' }).then((reply) => reply.text()))
      if (pending.size > 0) await expect.poll(() => pending.size).toBe(0)
    }
  }

  async function passUntil(holds: () => Promise<boolean>): Promise<void> {
    for (let passed = 0; !(await holds()); passed += STEP_MS) {
      expect(passed, 'milliseconds of the page’s clock').toBeLessThan(MINUTES_10)
      await pass(STEP_MS)
    }
  }

  return { pass, passUntil }
}
