import type { BrowserContext, Page } from '@playwright/test'
import { gate } from './journey.ts'

/** A tab of the same browser whose scripts, but those of the first questions, arrive only once `open` is called. */
export async function openSlowly(context: BrowserContext, url: string): Promise<{ tab: Page; open: () => void }> {
  const { open, opened } = gate()
  const tab = await context.newPage()
  await tab.route(/\/assets\/(?:vendor|core|index|guests)-[^/]*\.js/, async (route) => {
    await opened
    await route.continue()
  })
  await tab.goto(url, { waitUntil: 'commit' })
  return { tab, open }
}
