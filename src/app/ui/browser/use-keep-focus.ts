import { useEffect } from 'react'
import type { RefObject } from 'react'
import { afterPaint } from './after-paint.ts'

/**
 * When the focused element of this part is removed, a reclaimed row or a button no longer needed, its heading takes the focus:
 * not the top of the page, as the browser would have it, nor another row.
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
      if (!isRemoved() || document.activeElement !== document.body) return
      focused = null
      heading.current?.focus({ preventScroll: true })
    }
    const changes = new MutationObserver(() => isRemoved() && afterPaint(focusHeading))
    changes.observe(own, { childList: true, subtree: true })
    // a dialog is at the end of the body, and returns the focus when it closes
    changes.observe(document.body, { childList: true })
    own.addEventListener('focusin', noteFocus)
    return () => {
      changes.disconnect()
      own.removeEventListener('focusin', noteFocus)
    }
  }, [part, heading])
}
