import { Fragment, useEffect } from 'react'
import type { ReactNode } from 'react'
import { useLocation, useSearch } from 'wouter'
import { paths } from '#app/paths.ts'
import { readChallenge } from '#app/session/challenge.ts'
import { rememberTarget } from '#app/session/return-to.ts'
import { session, type LoginState } from '#app/session/session.ts'
import { useSession } from '#app/session/use-session.ts'

/** Guests go to the sign-in, replacing history (SHELL-2); whoever is known stays, verified or not (SESSION-9, SESSION-11). */
export function Guard({ children }: { children: ReactNode }) {
  const { status, user } = useSession()
  const [path, navigate] = useLocation()
  const search = useSearch()
  const isGuest = status === 'guest'

  useEffect(() => {
    if (!isGuest) return
    const ended = session.takeEnded()
    // Whoever signed out wants to leave; the next person is not led to where they were.
    if (!session.isSignedOut()) rememberTarget(path + (search && `?${search}`))
    // The app may have been killed while the code was read in Mail (LOGIN-16).
    const isCodeComing = ended === undefined && readChallenge() !== undefined
    navigate(isCodeComing ? paths.otp() : paths.login(), { replace: true, state: { ended } satisfies LoginState })
  }, [isGuest, path, search, navigate])

  // Somebody else may sign in through another tab: nothing that a screen holds goes over to them (SESSION-21).
  return isGuest ? null : <Fragment key={user?.id}>{children}</Fragment>
}
