import { useSyncExternalStore } from 'react'
import { MOBILE_BREAKPOINT_PX } from '#app/constants.ts'

const query = () => matchMedia(`(max-width: ${MOBILE_BREAKPOINT_PX}px)`)

function subscribe(changed: () => void) {
  const narrow = query()
  narrow.addEventListener('change', changed)
  return () => narrow.removeEventListener('change', changed)
}

/** 768 px wide or less. SHELL-9 */
export function useIsMobile(): boolean {
  return useSyncExternalStore(subscribe, () => query().matches)
}
