import { Fragment, useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { useLocation, useSearch } from 'wouter'
import { paths } from '#app/paths.ts'
import { readChallenge } from '#app/session/challenge.ts'
import { isErasedElsewhere } from '#app/session/left-accounts.ts'
import { rememberTarget } from '#app/session/return-to.ts'
import { session, type LoginState } from '#app/session/session.ts'
import { isSignedInEntry, markSignedInEntries } from '#app/session/signed-in-entry.ts'
import { useSession } from '#app/session/use-session.ts'

/** Redirects guests to sign-in, replacing history (SHELL-2); `known` and `verified` sessions may stay (SESSION-9, SESSION-11). */
export function Guard({ children }: { children: ReactNode }) {
  const { status, user } = useSession()
  const [path, navigate] = useLocation()
  const search = useSearch()
  const isGuest = status === 'guest'
  const formerUserId = useRef<string>(undefined)

  useEffect(() => (isGuest ? undefined : markSignedInEntries()), [isGuest])

  useEffect(() => {
    if (!isGuest) {
      const isOfAnother = formerUserId.current !== undefined && user !== undefined && formerUserId.current !== user.id
      formerUserId.current = user?.id
      // a page that was suspended missed that one person signed out and the next one in
      if (isOfAnother) navigate(paths.home(), { replace: true })
      return
    }
    const ended = session.takeEnded()
    // the server may have ended the session before this was drawn
    const owner = formerUserId.current ?? (ended && session.endedUserId())
    // somebody who signed out was here before this page was loaded, or did in another tab: whose screen it is is not known
    const isComingBack = isSignedInEntry() && owner === undefined
    const isErased = isErasedElsewhere(owner)
    // after a sign-out or an erasure the next person must not be sent to this URL
    if (!session.isSignedOut() && !isErased && !isComingBack) rememberTarget(path + (search && `?${search}`), owner)
    // the system may have closed the app while the code was looked up in the mail app (LOGIN-16)
    const isCodeRequested = ended === undefined && readChallenge() !== undefined
    const state: LoginState = { ended, endedUserId: ended && session.endedUserId() }
    navigate(isCodeRequested ? paths.otp() : paths.login(), { replace: true, state })
  }, [isGuest, user, path, search, navigate])

  // somebody else may sign in through another tab: the key discards the state of screens for them (SESSION-21)
  return isGuest ? null : <Fragment key={user?.id}>{children}</Fragment>
}
