import { Fragment, useEffect } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useLocation, useSearch } from 'wouter'
import { paths } from '#app/paths.ts'
import { readChallenge } from '#app/session/challenge.ts'
import { rememberTarget } from '#app/session/return-to.ts'
import { session } from '#app/session/session.ts'
import { useSession } from '#app/session/use-session.ts'
import { errorToast, toast } from '#app/ui/toast.ts'

/** Guests go to the sign-in, replacing history (§2); whoever is known stays, verified or not (rulings 1, 2). */
export function Guard({ children }: { children: ReactNode }) {
  const { t } = useTranslation('shell')
  const { status, user } = useSession()
  const [path, navigate] = useLocation()
  const search = useSearch()
  const isGuest = status === 'guest'

  useEffect(() => {
    if (!isGuest) return
    const ended = session.takeEnded()
    if (ended === 'closed') toast(t('AccountClosed'))
    if (ended === 'ended') errorToast(t('SessionEnded'))
    // Whoever signed out wants to leave; the next person is not led to where they were.
    if (!session.isSignedOut()) rememberTarget(path + (search && `?${search}`))
    // The app may have been killed while the code was read in Mail (ruling 9).
    navigate(readChallenge() ? paths.otp() : paths.login(), { replace: true })
  }, [isGuest, path, search, navigate, t])

  // Somebody else may sign in through another tab: nothing that a screen holds goes over to them (ruling 21).
  return isGuest ? null : <Fragment key={user?.id}>{children}</Fragment>
}
