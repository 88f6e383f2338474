import type { Page } from '@playwright/test'

/** The requests of a page from now on. */

/** The path of a save of answers. */
export const SAVING = /^\/api\/assessment\/assessment-instance\/responses/

/** The paths of the requests so far; with `path`, of those that match. */
export function watchRequests(page: Page, path = /./): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (path.test(pathname)) asked.push(pathname)
  })
  return asked
}

/** How often the page has been reloaded since, by anybody. */
export function countLoads(page: Page): () => number {
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1
  })
  return () => loads
}
