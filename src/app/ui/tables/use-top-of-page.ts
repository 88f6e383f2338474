import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

/** Scrolls to the top of a table when its page changes, if the top is out of sight. */
export function useTopOfPage(page: number): RefObject<HTMLDivElement | null> {
  const top = useRef<HTMLDivElement>(null)
  const last = useRef(page)
  useEffect(() => {
    const part = top.current
    if (part && last.current !== page && part.getBoundingClientRect().top < 0) part.scrollIntoView({ block: 'start' })
    last.current = page
  }, [page])
  return top
}
