import { useEffect } from 'react'
import type { RefObject } from 'react'

let hasNavigated = false

/** The router tells by these events that the person moved on: from now on, headings take the focus. Called once, by main. */
export function watchNavigation(): void {
  for (const type of ['pushState', 'replaceState', 'popstate']) {
    addEventListener(type, () => {
      hasNavigated = true
    })
  }
  addEventListener('pushState', () => scrollTo(0, 0))
}

/**
 * A router without page loads tells nobody that one is elsewhere: the new heading takes the focus, and is read out.
 * Not on the first load, where the browser starts at the top by itself.
 */
export function useArrival(heading: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    // a screen that begins with a field, like the code's, has put the focus there already
    const isPlaced = heading.current?.closest('main')?.contains(document.activeElement)
    if (hasNavigated && !isPlaced) heading.current?.focus({ preventScroll: true })
  }, [heading])
}
