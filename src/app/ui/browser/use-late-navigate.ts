import { createContext, createElement, use, useCallback, type ReactNode, type RefObject } from 'react'
import { useLocation } from 'wouter'
import { useIsGone } from './use-is-gone.ts'

const ScreenIsLeft = createContext<RefObject<boolean>>({ current: false })

/** Around each screen, so that what it began knows whether the person has left it. */
export function ScreenVisit({ children }: { children: ReactNode }) {
  const isLeft = useIsGone()
  return createElement(ScreenIsLeft, { value: isLeft }, children)
}

/** Whether the person has left the screen, also if they have come back since. */
export function useIsScreenLeft(): RefObject<boolean> {
  return use(ScreenIsLeft)
}

/** Navigates after a reply: does nothing once the person has left the screen, also if they have come back since. */
export function useLateNavigate(): ReturnType<typeof useLocation>[1] {
  const isLeftRef = use(ScreenIsLeft)
  const [, navigate] = useLocation()
  return useCallback<typeof navigate>(
    (to, options) => {
      if (!isLeftRef.current) navigate(to, options)
    },
    [isLeftRef, navigate],
  )
}
