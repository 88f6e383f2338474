import { Fragment, useEffect } from 'react'
import type { ReactNode } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { paths } from '#app/paths.ts'
import { readChallenge } from '#app/session/challenge.ts'
import { endedUserId } from '#app/session/ended-session.ts'
import { isErasedElsewhere } from '#app/session/left-accounts.ts'
import { rememberTarget } from '#app/session/return-to.ts'
import { serverEnd } from '#app/session/server-end.ts'
import type { LoginState } from '#app/session/session.ts'
import { markSignedInEntries, userOfEntry, type SignedInEntry } from '#app/session/signed-in-entry.ts'
import { endedOwnerOfReload } from '#app/session/tab-session.ts'
import { useSession } from '#app/session/use-session.ts'

/**
 * Redirects guests to sign-in, replacing history (SHELL-2); `known` and `verified` sessions may stay (SESSION-9, SESSION-11). Whoever comes
 * to an entry of the history on which somebody else was signed in goes home.
 */
export function Guard({ children }: { children: ReactNode }) {
  const { status, user } = useSession()
  const [path, navigate] = useLocation()
  const search = useSearch()
  const entry = useHistoryState<SignedInEntry | null>()
  const isGuest = status === 'guest'
  const userId = isGuest ? undefined : user?.id
  const isOfAnother = userId !== undefined && entry?.signedInUser !== undefined && entry.signedInUser !== userId

  useEffect(() => (userId === undefined ? undefined : markSignedInEntries(userId)), [userId])

  useEffect(() => {
    if (isOfAnother) navigate(paths.home(), { replace: true })
    if (!isGuest) return
    const endedHere = serverEnd.take()
    const owner = userOfEntry() ?? endedOwnerOfReload()
    const isEnded = owner !== undefined && owner === endedUserId()
    // after a sign-out, a closing or an erasure the next person must not be sent to this URL
    if (owner === undefined || (isEnded && endedHere !== 'closed' && !isErasedElsewhere(owner)))
      rememberTarget(path + (search && `?${search}`) + location.hash, owner)
    // the system may have closed the app while the code was looked up in the mail app (LOGIN-16)
    const isCodeRequested = endedHere === undefined && readChallenge() !== undefined
    // or another tab has seen the end first
    const ended = endedHere ?? (isEnded ? 'ended' : undefined)
    const state: LoginState = { ended, endedUserId: ended && endedUserId() }
    navigate(isCodeRequested ? paths.otp() : paths.login(), { replace: true, state })
  }, [isGuest, isOfAnother, path, search, navigate])

  // somebody else may sign in through another tab: the key discards the state of screens for them (SESSION-21)
  return isGuest || isOfAnother ? null : <Fragment key={user?.id}>{children}</Fragment>
}
