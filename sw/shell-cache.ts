/** The app's own files: all of them kept before this worker may take over, and index.html for every screen's URL. */
import type { PrecacheEntry } from 'workbox-precaching'
import { addPlugins, cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

/** Navigations that are not screens: the API, the media host's stand-in and the demo pages answer themselves (ruling 20). */
export const notScreens = /^\/(?:api|media|dev)(?:[/?]|$)/

/**
 * Whether a fetched app file is what the build made: 200, not redirected, HTML exactly where HTML is due,
 * and index.html with the app's root in it. A captive portal's page, or a host that answers a missing
 * chunk with index.html, fails here.
 */
export async function isWholeFile(url: string, response: Response): Promise<boolean> {
  if (response.status !== 200 || response.redirected) return false
  const isHtml = response.headers.get('content-type')?.includes('text/html') ?? false
  if (!new URL(url).pathname.endsWith('.html')) return !isHtml
  return isHtml && /\sid=["']?root\b/.test(await response.clone().text())
}

/**
 * Keeps `files` (the build's list) at install and answers from them. One bad file fails the install,
 * and the worker before this one stays with its own files.
 */
export function keepShell(files: PrecacheEntry[]): void {
  addPlugins([
    {
      fetchDidSucceed: async ({ event, request, response }) => {
        if (event?.type === 'install' && !(await isWholeFile(request.url, response))) {
          throw new Error(`Not the app's own file: ${request.url}`)
        }
        return response
      },
    },
  ])
  cleanupOutdatedCaches()
  precacheAndRoute(files, { cleanURLs: false })
  registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: [notScreens] }))
}
