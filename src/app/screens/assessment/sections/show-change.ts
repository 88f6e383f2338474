const HIGHLIGHT_MS = 900

/** Scrolls to something that changed and may be hidden behind the footer. */
export function bringIntoView(element: Element | null | undefined): void {
  const isMotionReduced = matchMedia('(prefers-reduced-motion: reduce)').matches
  element?.scrollIntoView({ block: 'nearest', behavior: isMotionReduced ? 'instant' : 'smooth' })
}

/** Flashes something that changed without being tapped, unless reduced motion is preferred. */
export function highlight(element: Element | null | undefined): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  element?.animate([{ backgroundColor: 'var(--wait-soft)' }, { backgroundColor: 'transparent' }], {
    duration: HIGHLIGHT_MS,
    easing: 'ease-in',
  })
}
