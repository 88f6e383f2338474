import { useEffect } from 'react'
import { isApiError } from '#app/api/api-error.ts'
import { call } from '#app/api/call.ts'
import { useReachable } from '#app/api/use-network-state.ts'
import { invalidateChangedBy } from '#app/api/query-port.ts'
import { removeCoachOnboarding, readCoachOnboarding } from '#app/session/coach-onboarding.ts'
import { useSession } from '#app/session/use-session.ts'
import { normalEmail } from '#contract/rules/email.ts'
import { users, type ProfileChange } from '#contract/users.ts'

/**
 * Saves what a coach typed at onboarding to the profile, once. Data that is incomplete, refused or somebody else's is removed;
 * data that could not be sent is tried again later. ONBOARD-4
 */
export async function applyCoachOnboarding(email: string, update: (change: ProfileChange) => Promise<unknown>): Promise<void> {
  const data = readCoachOnboarding()
  if (!data) return
  const { country, city, ...person } = data
  try {
    // on a shared device, another coach's profile must not be overwritten
    if (normalEmail(person.email) === normalEmail(email)) await update({ ...person, cityId: city, countryId: country })
  } catch (error) {
    if (!isApiError(error) || error.isTransient) return
  }
  removeCoachOnboarding()
}

/** Runs when the dashboard loads, and again when the API can be reached. */
export function useCoachOnboarding(): void {
  const { user } = useSession()
  const isReachable = useReachable()
  const id = user?.id
  const email = user?.email

  useEffect(() => {
    if (id === undefined || email === undefined || !isReachable) return
    void applyCoachOnboarding(email, async (body) => {
      await call(users.update, { params: { id }, body }, { userId: id })
      invalidateChangedBy(users.update)
    })
  }, [id, email, isReachable])
}
