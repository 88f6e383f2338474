import { useSyncExternalStore } from 'react'
import { FAILED_READ_WAITS } from '#app/constants.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { settings } from '#contract/settings.ts'
import { retryDelay } from './backoff.ts'
import { call } from './call.ts'
import { createEvent } from './events.ts'
import { network } from './network.ts'
import { waitToRetry } from './wait-to-retry.ts'

const changed = createEvent()
let known: ReplyOf<typeof settings.get> | undefined
let isRequested = false

async function load(): Promise<void> {
  for (let failures = 0; known === undefined;) {
    try {
      known = await call(settings.get)
    } catch (error) {
      failures += 1
      do await waitToRetry(retryDelay(failures, error, FAILED_READ_WAITS))
      while (!network.isReachable())
    }
  }
  changed.emit()
}

function subscribe(listener: () => void): () => void {
  if (!isRequested) void load()
  isRequested = true
  return changed.subscribe(listener)
}

/** The installation's settings, read by the first subscriber; undefined until then. Without the query library, which sign-in does not load. */
export const knownSettings = { subscribe, get: () => known }

export function useSettings() {
  return useSyncExternalStore(knownSettings.subscribe, knownSettings.get)
}
