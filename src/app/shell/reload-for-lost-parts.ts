import { earlyStart, type PartsOutcome } from '#app/early-start.ts'
import { retryDelay } from '#app/api/backoff.ts'
import { network } from '#app/api/network.ts'
import { waitToRetry } from '#app/api/wait-to-retry.ts'
import { FAILED_READ_WAITS, LEAVE_TIMEOUT_MS, PART_SLOW_MS, RELOAD_AGAIN_MS, RELOADED_FOR_KEY, RELOADED_KEY } from '#app/constants.ts'
import { hasElapsed } from '#app/device-clock.ts'
import { hasUnwrittenHere } from '#app/device/sending/unwritten.ts'
import { trySetItem } from '#app/ui/browser/try-set-item.ts'
import { inTime, keepsSession } from '#app/session/stored-copy.ts'
import { onReturn } from '#app/ui/browser/on-return.ts'
import { nextTask } from '#app/ui/browser/after-paint.ts'
import { noteMayReload, onPartStuck } from '#app/lost-part.ts'
import { wasReloaded } from '#app/was-reloaded.ts'
import { isMemoryStorage } from '#app/ui/browser/memory-storage.ts'

/** lost in this task, other than by a first try of `loadWithRetry` */
let lostForScreens = 0
/** from a lost part until the page has reloaded, or does not */
let isReloading = false
let isReloadAsked = false
/** the last one that was lost could not be fetched either */
let isMissing = false
/** when another page was last asked for, by `performance.now` */
let leavingSince = Number.NEGATIVE_INFINITY
/** a part did not arrive that no loading screen waits for */
let stuckWatch: (() => void) | undefined
/** the path of a screen on which something was typed or chosen that may have no draft */
let typedOn: string | undefined
/** ends the wait for another page */
let stopWaiting = () => {}

/**
 * After a deployment a lazy part may no longer exist: reloads once to get the new app; if that does not help, the error screen
 * offers a reload (INSTALL-3). Only if the server replies now: without it, a reload would leave an empty page; and not while answers are
 * in this page alone.
 */
export function reloadOnceForLostParts(): void {
  onPartStuck((arrival) => {
    if (stuckWatch) return
    const stop = reloadIfStuck()
    stuckWatch = stop
    const end = () => {
      stop()
      stuckWatch = undefined
    }
    void arrival?.then(end, () => undefined)
  })
  for (const type of ['input', 'click']) addEventListener(type, noteTyped, true)
  addEventListener('beforeunload', () => {
    leavingSince = performance.now()
  })
  // a link that opens a mail or a file leaves the page where it is, as does a cancelled navigation
  for (const type of ['pushState', 'popstate']) addEventListener(type, noteStaying)
  onReturn(() => {
    noteStaying()
    // somebody left before the reload, and came back to a page without its part
    if (isReloadAsked) reload()
  })
  addEventListener('vite:preloadError', (event) => {
    // the browser's cache may have kept a part of it as if it were whole, and would give it to the reloaded page, too
    const fetched = earlyStart()?.fetchParts?.()
    void fetched?.then((outcome) => {
      isMissing = outcome === 'missing'
    })
    if (!mayReload() || hasUnwrittenHere() || !navigator.onLine || !network.isReachable()) return
    // the import resolves to undefined instead of failing before the page has reloaded
    event.preventDefault()
    lostForScreens += 1
    if (!isReloading) noteMayReload(reloadForScreens(fetched))
  })
}

/** Whether the page may reload: at most once a minute. If session storage is lost with the page, not if it was itself reloaded: it would reload for ever. */
function mayReload(): boolean {
  if (isMemoryStorage(sessionStorage)) return !wasReloaded()
  return hasElapsed(Number(sessionStorage.getItem(RELOADED_KEY) ?? 0), RELOAD_AGAIN_MS)
}

function noteStaying(): void {
  leavingSince = Number.NEGATIVE_INFINITY
  stopWaiting()
}

/** Resolves once no navigation is under way, which a reload would cancel. A link to a file or a mail counts as one until the page turns out to stay. */
async function untilStaying(): Promise<void> {
  for (let stay = leavesIn(); stay > 0; stay = leavesIn()) {
    await new Promise<void>((resolve) => {
      stopWaiting = resolve
      setTimeout(resolve, stay)
    })
  }
}

const leavesIn = () => leavingSince + LEAVE_TIMEOUT_MS - performance.now()

/** Resolves if the page stays. */
async function reloadForScreens(fetched?: Promise<PartsOutcome>): Promise<void> {
  isReloading = true
  // a first try of loadWithRetry takes its loss back before the next task
  await nextTask()
  // a reload would not find what the connection does not bring: the error screen waits for it
  if ((await fetched) !== 'missing' && lostForScreens > 0) await reloadIfReachable()
  lostForScreens = 0
  isReloading = false
}

/**
 * For a screen that says that a part is missing: reloads the page once it can be fetched, as its load may stay failed in this page. If
 * none is missing now, and the page has reloaded for this screen, another reload would change nothing. @returns a function that stops it
 */
export const reloadOnceFetched = () => watchParts({ isStuck: false })

/** For a screen whose part has not arrived: reloads the page once it can be fetched, as the request for it may never be answered. */
export const reloadIfStuck = () => watchParts({ isStuck: true })

function watchParts(parts: { isStuck: boolean }): () => void {
  const stopped = new AbortController()
  void watch(stopped.signal, parts)
  return () => stopped.abort()
}

async function watch(stopped: AbortSignal, parts: { isStuck: boolean }): Promise<void> {
  let before: PartsOutcome | undefined
  for (let failures = isMissing && !parts.isStuck ? 1 : 0; ; failures += 1) {
    const outcome = await earlyStart()?.fetchParts?.(parts)
    // what was missing and has no end now may be as whole as something on the way lets it be
    const isHere = outcome === undefined || outcome === 'here' || (outcome === 'cut' && before === 'missing')
    before = outcome
    if (stopped.aborted || (isHere && failures === 0 && !isReloadDue())) return
    if (isHere && failures === 0) await waitToRetry(parts.isStuck ? PART_SLOW_MS : RELOAD_AGAIN_MS)
    if (isHere) await reloadIfReachable(stopped)
    await waitToRetry(retryDelay(failures + 1, undefined, FAILED_READ_WAITS))
    if (stopped.aborted) return
  }
}

const TEXTS = 'select, textarea, input:not([type="radio"], [type="checkbox"], [type="search"])'
/** what a mouse chooses or adds in a form without an input event */
const CHOICES = 'form :is([role="option"], button[type="button"])'

/** A dialog's fields are lost when it is closed, and a search is in the URL. */
function noteTyped({ target, type }: Event): void {
  if (!(target instanceof Element) || target.closest('[role="dialog"]')) return
  if (type === 'click' ? target.closest(CHOICES) !== null : target.matches(TEXTS)) typedOn = location.pathname
}

/**
 * Whether a reload that nobody asked for could take what was typed on this screen, close a dialog, or empty the card provider's form,
 * whose script leaves other frames in the page, too.
 */
function mayHoldTyped(): boolean {
  return typedOn === location.pathname || document.querySelector('[role="dialog"], main iframe') !== null
}

/** The page has not reloaded for this screen yet: the part was lost within a minute of a reload for another one, or the server was away. */
function isReloadDue(): boolean {
  return !isMemoryStorage(sessionStorage) && sessionStorage.getItem(RELOADED_FOR_KEY) !== location.pathname
}

/** Resolves if the page stays. */
async function reloadIfReachable(stopped?: AbortSignal): Promise<void> {
  let isThere = true
  do {
    // Firefox stops what is loading as soon as another page is asked for: the part may be there
    await untilStaying()
    isThere = await network.probe()
  } while (isThere && leavesIn() > 0)
  // last: somebody may have begun to type meanwhile
  if (!isThere || !(await survivesReload()) || stopped?.aborted || mayHoldTyped()) return
  // without a stored time the page would reload again and again
  if (trySetItem(RELOADED_KEY, String(Date.now()), sessionStorage)) {
    trySetItem(RELOADED_FOR_KEY, location.pathname, sessionStorage)
    reload()
    // where the page asks before it is left, a person may stay
    await untilStaying()
    isReloadAsked = false
  }
}

function reload(): void {
  isReloadAsked = true
  leavingSince = performance.now()
  location.reload()
}

/** Whether the session, what was typed and every answer would be there after a reload. */
async function survivesReload(): Promise<boolean> {
  return (!isMemoryStorage(localStorage) || (await inTime(keepsSession()))) && !hasUnwrittenHere()
}

/** For texts that a screen does without: retries until they are loaded, and never reloads the page for them. */
export async function loadInBackground<Loaded>(load: () => Promise<Loaded | undefined>): Promise<void> {
  for (let failures = 1; ; failures += 1) {
    const loaded = await load().catch(() => null)
    if (loaded !== undefined && loaded !== null) return
    // the part is lost (vite:preloadError was cancelled)
    if (loaded === undefined) lostForScreens = Math.max(0, lostForScreens - 1)
    await waitToRetry(retryDelay(failures, undefined, FAILED_READ_WAITS))
  }
}

/** For a module that no screen waits for but every session needs: retries until it is loaded. Never rejects. */
export async function loadWithRetry<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      const loaded = await load()
      // undefined if the part is lost (vite:preloadError was cancelled)
      if (loaded !== undefined) return loaded
      // the page reloads for a second loss only, as no screen waits for this
      if (isFirst) lostForScreens = Math.max(0, lostForScreens - 1)
    } catch (error) {
      console.warn('A module could not be loaded; trying again', error)
    }
    await waitToRetry()
  }
}
