import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

/** Scrolls to the top of a table when its page changes, if the top is off screen. */
export function useTopOfPage(page: number): RefObject<HTMLDivElement | null> {
  const top = useRef<HTMLDivElement>(null)
  const last = useRef(page)
  useEffect(() => {
    const table = top.current
    if (table && last.current !== page && table.getBoundingClientRect().top < 0) table.scrollIntoView({ block: 'start' })
    last.current = page
  }, [page])
  return top
}
