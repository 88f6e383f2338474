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
      if (location.pathname !== screen) {
        blurFocused()
        // on Back the browser restores the scroll position itself
        if (type === 'replaceState') scrollTo(0, 0)
      }
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
    // a heading that is drawn again later, as in another language, does not take the focus
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
 * Blurs the focused element before its screen is replaced. Otherwise Orca silently moves to the new element in its place, and if that is
 * the heading, does not read it when it takes the focus.
 */
function blurFocused(): void {
  isLeaving = true
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  isLeaving = false
}

/** True while a field loses the focus because its screen is left: a validation error shown then would be read out. */
export const isScreenLeaving = (): boolean => isLeaving

/** The focused element was removed with the previous screen. */
function hasLostFocus(): boolean {
  return hasActed && document.activeElement === document.body
}
