import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { Redirect, useLocation } from 'wouter'
import { paths } from '#app/paths.ts'
import { session } from '#app/session/session.ts'
import { toasts } from '#app/ui/feedback/toast.ts'

/**
 * Redirects home if the person is signed in: already on arrival (by Back or a URL), or later in another tab, which alone opens the
 * screen that asked for the sign-in. A sign-in in this tab does its own navigation.
 */
export function ForGuests({ children }: { children: ReactNode }) {
  const [wasSignedIn] = useState(() => session.get().status !== 'guest')
  const [, navigate] = useLocation()

  useEffect(
    () =>
      session.subscribe(() => {
        if (session.get().status === 'guest' || session.isBegunHere()) return
        // an error of this tab's own try
        toasts.dismiss()
        navigate(paths.home(), { replace: true })
      }),
    [navigate],
  )
  return wasSignedIn ? <Redirect to={paths.home()} replace /> : children
}
