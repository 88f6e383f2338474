import { useEffect, useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'
import { announce } from './announcer.ts'

let hasNavigated = false
let hasActed = false

/** The router tells by these events that the person moved on: from now on, headings take the focus. Called once, by main. */
export function watchNavigation(): void {
  for (const type of ['pushState', 'replaceState', 'popstate']) {
    addEventListener(type, () => {
      hasNavigated = true
    })
  }
  addEventListener('pushState', () => scrollTo(0, 0))
  for (const type of ['click', 'keydown']) {
    // before any screen answers to it
    addEventListener(type, () => (hasActed = true), { capture: true })
  }
}

/**
 * A router without page loads tells nobody that one is elsewhere: the new heading takes the focus, and is read out; also
 * where a tap brought it without a new URL. Not on the first load, where the browser starts at the top by itself.
 */
export function useArrival(heading: RefObject<HTMLElement | null>): void {
  const hasFocused = useRef(false)
  useEffect(() => {
    const arrived = heading.current
    if (!arrived || !(hasNavigated || hasLostFocus())) return
    // a screen that begins with a field, like the code's, has put the focus there already
    if (arrived.closest('main')?.contains(document.activeElement)) return announce(arrived.textContent)
    arrived.focus({ preventScroll: true })
    hasFocused.current = true
  }, [heading])

  // A screen that waits for something more is hidden meanwhile, which takes the focus away; shown again, this runs anew.
  useLayoutEffect(() => {
    if (hasFocused.current && document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [heading])
}

/** What had the focus went with the part that gave way to this one. */
function hasLostFocus(): boolean {
  return hasActed && document.activeElement === document.body
}
