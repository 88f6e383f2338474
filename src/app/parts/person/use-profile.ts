import { useCall, useReaderId } from '#app/api/use-call.ts'
import { users } from '#contract/users.ts'

/** The person's own profile: from the API, or as stored when the API cannot be reached (HOME-14) */
export function useProfile() {
  const id = useReaderId()
  return useCall(users.get, { params: { id: id ?? '' } }, { enabled: id !== undefined })
}
