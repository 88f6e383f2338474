const GLOW_MS = 900

/** What changed may lie under the bar at the bottom. */
export function bringIntoSight(element: Element | null | undefined): void {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  element?.scrollIntoView({ block: 'nearest', behavior: isStill ? 'instant' : 'smooth' })
}

/** Shows where something has changed that was done elsewhere; still for whoever wants no motion. */
export function glow(element: Element | null | undefined): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  element?.animate([{ backgroundColor: 'var(--wait-soft)' }, { backgroundColor: 'transparent' }], { duration: GLOW_MS, easing: 'ease-in' })
}
