import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { Redirect, useLocation } from 'wouter'
import { paths } from '#app/paths.ts'
import { takeTarget } from '#app/session/return-to.ts'
import { session } from '#app/session/session.ts'

/**
 * Who comes here signed in, by Back or by the address, is led home, and so is who waits here while another tab signs in.
 * A code that was right in this one leads on by itself.
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
