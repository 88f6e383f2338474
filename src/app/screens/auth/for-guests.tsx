import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { Redirect, useLocation } from 'wouter'
import { paths } from '#app/paths.ts'
import { takeTargetOfTab } from '#app/session/return-to.ts'
import { session } from '#app/session/session.ts'
import { toasts } from '#app/ui/feedback/toast.ts'

/**
 * Redirects home if the person is signed in: already on arrival (by Back or a URL), or later in another tab, which alone opens the
 * screen that asked for the sign-in. Where their session has ended in this tab, it redirects to the screen that they had here. A sign-in
 * in this tab does its own navigation.
 */
export function ForGuests({ children }: { children: ReactNode }) {
  const [elsewhere] = useState(() => (session.get().status === 'guest' ? undefined : targetHere()))
  const [, navigate] = useLocation()

  useEffect(
    () =>
      session.subscribe(() => {
        if (session.get().status === 'guest' || session.isBegunHere()) return
        // an error of this tab's own try
        toasts.dismiss()
        navigate(targetHere(), { replace: true })
      }),
    [navigate],
  )
  return elsewhere === undefined ? children : <Redirect to={elsewhere} replace />
}

const targetHere = () => takeTargetOfTab(session.get().user?.id) ?? paths.home()
