import { useEffect } from 'react'
import type { RefObject } from 'react'
import { afterPaint } from './after-paint.ts'

/**
 * When the focused element of this part is removed, a reclaimed row or a button no longer needed, its heading takes the focus:
 * not the top of the page, as the browser would have it, nor another row.
 */
export function useFocusKept(part: RefObject<HTMLElement | null>, heading: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const own = part.current
    if (!own) return
    let held: EventTarget | null = null
    const hold = ({ target }: FocusEvent) => {
      held = target
    }
    const isGone = () => held instanceof Node && !held.isConnected
    const goOn = () => {
      if (!isGone() || document.activeElement !== document.body) return
      held = null
      heading.current?.focus({ preventScroll: true })
    }
    const changes = new MutationObserver(() => isGone() && afterPaint(goOn))
    changes.observe(own, { childList: true, subtree: true })
    // a dialog is at the end of the body, and returns the focus when it closes
    changes.observe(document.body, { childList: true })
    own.addEventListener('focusin', hold)
    return () => {
      changes.disconnect()
      own.removeEventListener('focusin', hold)
    }
  }, [part, heading])
}
