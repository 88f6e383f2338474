import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { Redirect, useLocation } from 'wouter'
import { paths } from '#app/paths.ts'
import { takeTarget } from '#app/session/return-to.ts'
import { session } from '#app/session/session.ts'

/**
 * Redirects home whoever is signed in already, by Back, by URL or through another tab. Signing in by a code in this tab
 * navigates by itself.
 */
export function ForGuests({ children }: { children: ReactNode }) {
  const [isSignedIn] = useState(() => session.get().status !== 'guest')
  const [, navigate] = useLocation()

  useEffect(
    () =>
      session.subscribe(() => {
        if (session.get().status !== 'guest' && !session.isBegunHere()) navigate(takeTarget(), { replace: true })
      }),
    [navigate],
  )
  return isSignedIn ? <Redirect to={paths.home()} replace /> : children
}
