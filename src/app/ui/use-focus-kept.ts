import { useEffect } from 'react'
import type { RefObject } from 'react'
import { afterPaint } from './after-paint.ts'

/**
 * Whoever stood on something of this part that is gone, a row that was taken back or a button that is not needed any more,
 * goes on at its heading: not at the top of the page, where the browser would put them, and not on somebody else's row.
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
    // a dialog stands at the end of the body, and gives the focus back when it closes
    changes.observe(document.body, { childList: true })
    own.addEventListener('focusin', hold)
    return () => {
      changes.disconnect()
      own.removeEventListener('focusin', hold)
    }
  }, [part, heading])
}
