import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { Redirect, useLocation } from 'wouter'
import { paths } from '#app/paths.ts'
import { takeTarget } from '#app/session/return-to.ts'
import { session } from '#app/session/session.ts'

/**
 * Redirects home if the person is signed in: already on arrival (by Back or a URL), or later in another tab. A sign-in in this
 * tab does its own navigation.
 */
export function ForGuests({ children }: { children: ReactNode }) {
  const [wasSignedIn] = useState(() => session.get().status !== 'guest')
  const [, navigate] = useLocation()

  useEffect(
    () =>
      session.subscribe(() => {
        const { status, user } = session.get()
        if (status !== 'guest' && !session.isBegunHere()) navigate(takeTarget(user?.id), { replace: true })
      }),
    [navigate],
  )
  return wasSignedIn ? <Redirect to={paths.home()} replace /> : children
}
