/**
 * Requests that a browser with static routing (Chromium) handles without this worker, which it would otherwise start first: a call
 * after half a minute without one waited for that. Other browsers ask the worker, with the same result. docs/decisions/0066
 */
import { cacheNames } from 'workbox-core'
import type { Hosts } from './read-cache.ts'

export interface StaticRoute {
  condition: { urlPattern: string; requestMethod?: string }
  source: 'network' | 'fetch-event' | { cacheName: string }
}

/** The event of the worker's installation, in a browser with static routing. */
interface Installing {
  addRoutes?: (routes: readonly StaticRoute[]) => Promise<void>
}

declare global {
  interface ExtendableEvent extends Installing {}
}

/** The first route that matches decides; a file that is not in the cache comes from the network. Never rejects. */
export async function addStaticRoutes(event: Installing, { api, media }: Hosts): Promise<void> {
  const route = (urlPattern: string, source: StaticRoute['source']): StaticRoute => ({ condition: { urlPattern }, source })
  const workersReads = [`${api}/reference-data/*`, `${api}/sports`, `${api}/sports/*`, `${media}/cities/*`]
  try {
    await event.addRoutes?.([
      { condition: { urlPattern: '/assets/*', requestMethod: 'GET' }, source: { cacheName: cacheNames.precache } },
      ...workersReads.map((pattern) => route(pattern, 'fetch-event')),
      route(`${api}/*`, 'network'),
      route(`${media}/*`, 'network'),
    ])
  } catch (error) {
    console.warn('This browser takes none of the static routes', error)
  }
}
