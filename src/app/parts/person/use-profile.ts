import { useCall } from '#app/api/use-call.ts'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { useLastDefined } from '#app/parts/use-last-defined.ts'
import { users } from '#contract/users.ts'

/** The signed-in person's profile: from the API, or as stored on the device while that is out of reach. HOME-14 */
export function useProfile() {
  const id = useReaderId()
  return useCall(users.get, { params: { id: id ?? '' } }, { enabled: id !== undefined })
}

/** For a form: `known` waits for the first fetch, as another device may have changed the cached profile. */
export function useProfileForForm() {
  const profile = useProfile()
  const isCurrent = profile.isFetchedAfterMount || !profile.isFetching
  return { profile, known: useLastDefined(isCurrent ? profile.data : undefined) }
}
