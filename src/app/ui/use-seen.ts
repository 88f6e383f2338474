import { useEffect, useRef, type RefObject } from 'react'

/** What lies over the lower edge of a phone's screen, and a little more. */
const COVERED_PX = 96

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
      { rootMargin: `0px 0px -${COVERED_PX}px 0px` },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [onSeen])
  return element
}
