import { useEffect, useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'
import { announce } from '#app/ui/feedback/announcer.ts'

let hasNavigated = false
let hasActed = false
let isLeaving = false

/** Notes that the user has navigated (the router fires these events): after that, headings take the focus. Called once, by main. */
export function watchNavigation(): void {
  let screen = location.pathname
  for (const type of ['pushState', 'replaceState', 'popstate']) {
    addEventListener(type, () => {
      hasNavigated = true
      if (location.pathname !== screen) letGo()
      screen = location.pathname
    })
  }
  addEventListener('pushState', () => scrollTo(0, 0))
  for (const type of ['click', 'keydown']) {
    // capture: before any screen handles the event
    addEventListener(type, () => (hasActed = true), { capture: true })
  }
}

/**
 * Screen readers do not notice navigation without a page load, so the new heading takes the focus and is read out; also where a
 * tap changed the screen but not the URL. Not on the first load, where the screen reader starts at the top anyway.
 */
export function useFocusOnArrival(heading: RefObject<HTMLElement | null>): void {
  const hasFocused = useRef(false)
  useEffect(() => {
    const arrived = heading.current
    if (!arrived || !(hasNavigated || hasLostFocus())) return
    // a heading that comes later, as in another language, leaves the focus where it is
    hasNavigated = false
    // some screens have focused a field already, such as the one for the sign-in code
    if (arrived.closest('main')?.contains(document.activeElement)) return announce(arrived.textContent)
    arrived.focus({ preventScroll: true })
    hasFocused.current = true
  }, [heading])

  // a screen that suspends is hidden and loses the focus; this runs again when it is shown again
  useLayoutEffect(() => {
    if (hasFocused.current && document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [heading])
}

/**
 * The focused element goes with the previous screen. Orca moves to what stands in its place without a word, and then does not read the
 * heading there when it takes the focus.
 */
function letGo(): void {
  isLeaving = true
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  isLeaving = false
}

/** While a field loses the focus because its screen goes: an error shown there then would be spoken on the way out. */
export const isScreenLeaving = (): boolean => isLeaving

/** The focused element was removed with the previous screen. */
function hasLostFocus(): boolean {
  return hasActed && document.activeElement === document.body
}
