import { useEffect, useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'
import { announce } from '#app/ui/feedback/announcer.ts'

let hasNavigated = false
let hasActed = false

/** The router fires these events on navigation: from the first one on, headings take the focus. Called once, by main. */
export function watchNavigation(): void {
  for (const type of ['pushState', 'replaceState', 'popstate']) {
    addEventListener(type, () => {
      hasNavigated = true
    })
  }
  addEventListener('pushState', () => scrollTo(0, 0))
  for (const type of ['click', 'keydown']) {
    // before any screen handles it
    addEventListener(type, () => (hasActed = true), { capture: true })
  }
}

/**
 * Navigation without page loads is silent to screen readers: the new heading takes the focus and is read out, also where a tap
 * changed the screen but not the URL. Not on the first load, where the browser starts at the top by itself.
 */
export function useFocusOnArrival(heading: RefObject<HTMLElement | null>): void {
  const hasFocused = useRef(false)
  useEffect(() => {
    const arrived = heading.current
    if (!arrived || !(hasNavigated || hasLostFocus())) return
    // a screen that starts in a field, like the code's, has put the focus there already
    if (arrived.closest('main')?.contains(document.activeElement)) return announce(arrived.textContent)
    arrived.focus({ preventScroll: true })
    hasFocused.current = true
  }, [heading])

  // a screen that suspends is hidden, which loses the focus; shown again, this runs again
  useLayoutEffect(() => {
    if (hasFocused.current && document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [heading])
}

/** What had the focus was removed with the previous screen. */
function hasLostFocus(): boolean {
  return hasActed && document.activeElement === document.body
}
