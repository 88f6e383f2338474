import { useCall, useReaderId } from '#app/api/use-call.ts'
import { users } from '#contract/users.ts'

/** The signed-in person's profile: from the API, or as stored on the device while that is out of reach. HOME-14 */
export function useProfile() {
  const id = useReaderId()
  return useCall(users.get, { params: { id: id ?? '' } }, { enabled: id !== undefined })
}
