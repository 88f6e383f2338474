import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

/**
 * Scrolls to the top of a table when its page changes, if the top is off screen. For a keyboard the button that has the focus stays in view
 * instead.
 */
export function useTopOfPage(page: number): RefObject<HTMLDivElement | null> {
  const top = useRef<HTMLDivElement>(null)
  const last = useRef(page)
  useEffect(() => {
    const table = top.current
    if (table && last.current !== page) {
      const focused = document.activeElement
      if (focused?.matches(':focus-visible')) focused.scrollIntoView({ block: 'nearest' })
      else if (table.getBoundingClientRect().top < 0) table.scrollIntoView({ block: 'start' })
    }
    last.current = page
  }, [page])
  return top
}
