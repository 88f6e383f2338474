import { PART_SLOW_MS, PART_STUCK_MS } from '#app/constants.ts'
import { withTimeout } from '#app/with-timeout.ts'

/** A part of the app that could not be fetched resolves to undefined while the page may reload for it (shell/reload-for-lost-parts.ts). */

/** A part of the app could not be fetched, and the page does not reload for it. */
export class PartNotFetched extends Error {
  constructor(options?: ErrorOptions) {
    super('a part of the app could not be fetched', options)
  }
}

/** resolves once it is known that the page does not reload */
let settled = Promise.resolve()

/** @param outcome resolves if the page stays, and never if it reloads */
export function noteMayReload(outcome: Promise<void>): void {
  settled = outcome
}

type Stuck = (arrival?: Promise<unknown>) => void

let stuck: Stuck = () => {}

/** @param listener called when a part that somebody asked for has not come: the page may have to be loaded anew to get it */
export function onPartStuck(listener: Stuck): void {
  stuck = listener
}

/**
 * Reports a part that has not come. Its request may never be answered, or its load stay failed: the next try in this page would wait for the
 * same reply, or fail at once.
 * @param arrival resolves if it comes after all
 */
export const reportStuckPart: Stuck = (arrival) => stuck(arrival)

/** Rejects if the part has not arrived after PART_SLOW_MS: its request may never be answered. Then the page reloads once it can be fetched. */
export function arrivedInTime<Part>(loading: Promise<Part>): Promise<Part> {
  return withTimeout(watchArrival(loading, PART_SLOW_MS), PART_SLOW_MS, 'a part of the app has not arrived')
}

/** Returns `loading`. If the part has not arrived after `ms`, the page reloads once it can be fetched. */
export function watchArrival<Part>(loading: Promise<Part>, ms: number = PART_STUCK_MS): Promise<Part> {
  const stuck = setTimeout(() => reportStuckPart(loading), ms)
  return loading.finally(() => clearTimeout(stuck))
}

/** Resolves to the part; for a lost one rejects with `PartNotFetched`, once it is known that the page does not reload. */
export async function orLost<Part>(loading: Promise<Part>): Promise<Part> {
  const part = await loading.catch((cause: unknown) => {
    throw new PartNotFetched({ cause })
  })
  if (part !== undefined) return part
  await settled
  throw new PartNotFetched()
}
