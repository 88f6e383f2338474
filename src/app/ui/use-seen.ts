import { useEffect, useRef, type RefObject } from 'react'

/** px at the lower edge of the screen that the bar with what can be done (actions.css) lies over; it sticks there on a phone. */
function coveredBelow(): number {
  const bar = document.querySelector<HTMLElement>('.actions')
  return bar && getComputedStyle(bar).position === 'sticky' ? bar.offsetHeight : 0
}

/** Calls once its element was on screen, where nothing covers it; `undefined`: nobody asks. */
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
