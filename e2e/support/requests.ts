import type { Page } from '@playwright/test'

/** What a page asks for from now on. */

/** The paths of the requests so far; with `path`, of those that match. */
export function watchRequests(page: Page, path = /./): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (path.test(pathname)) asked.push(pathname)
  })
  return asked
}

/** How often the page has been loaded anew since, whoever did it. */
export function countLoads(page: Page): () => number {
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1
  })
  return () => loads
}
