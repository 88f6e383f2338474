import { useEffect } from 'react'
import type { RefObject } from 'react'
import { afterPaint } from './after-paint.ts'

/**
 * When the focused element of a part of the page is removed (a reclaimed row, a button no longer needed), the part's heading takes
 * the focus, in the team table its scrolling region. The browser would move it to the top of the page, MUI to what surrounds a dialog.
 */
export function useKeepFocus(part: RefObject<HTMLElement | null>, heading: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const own = part.current
    if (!own) return
    let focused: EventTarget | null = null
    const noteFocus = ({ target }: FocusEvent) => {
      focused = target
    }
    const isRemoved = () => focused instanceof Node && !focused.isConnected
    const focusHeading = () => {
      if (!isRemoved() || !document.activeElement?.contains(own)) return
      focused = null
      heading.current?.focus({ preventScroll: true })
      // of a keyboard, the focus must be in view
      if (heading.current?.matches(':focus-visible')) heading.current.scrollIntoView({ block: 'nearest' })
    }
    const changes = new MutationObserver(() => isRemoved() && afterPaint(focusHeading))
    changes.observe(own, { childList: true, subtree: true })
    // dialogs are children of the body; a closing one may return the focus to the removed element
    changes.observe(document.body, { childList: true })
    own.addEventListener('focusin', noteFocus)
    return () => {
      changes.disconnect()
      own.removeEventListener('focusin', noteFocus)
    }
  }, [part, heading])
}

/** The heading of the screen, for parts outside of it, such as toasts. */
export const screenHeading: RefObject<HTMLElement | null> = {
  get current() {
    return document.querySelector<HTMLElement>('main h1')
  },
}
