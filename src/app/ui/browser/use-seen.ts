import { useEffect, useRef, type RefObject } from 'react'

/** Height in px of the sticky actions bar, which covers the bottom of a phone's screen (parts/actions.css). */
function coveredBelow(): number {
  const bar = document.querySelector<HTMLElement>('.actions')
  return bar && getComputedStyle(bar).position === 'sticky' ? bar.offsetHeight : 0
}

/** Calls `onSeen` once when the element is on screen and not covered by the actions bar; `undefined` turns it off. */
export function useSeen<T extends Element>(onSeen: (() => void) | undefined): RefObject<T | null> {
  const element = useRef<T>(null)
  useEffect(() => {
    if (!onSeen || !element.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        onSeen()
      },
      { rootMargin: `0px 0px -${coveredBelow()}px 0px` },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [onSeen])
  return element
}
