import { useQueryClient } from '@tanstack/react-query'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { useSend } from '#app/api/use-send.ts'
import { users, type Profile, type ProfileChange, type ProfileField } from '#contract/users.ts'

/**
 * Saves what the signed-in person has edited of their profile; rejects as `useSend` does, or if nobody is signed in (PROFILE-17). What it was
 * before is shown no more, and not saved again by the next form, even if it cannot be read anew.
 */
export function useSaveProfile(): (body: ProfileChange, edited: readonly ProfileField[]) => Promise<Profile> {
  const client = useQueryClient()
  const id = useReaderId()
  const { send } = useSend(users.update)
  return async (body, edited) => {
    if (id === undefined) throw new Error('User not authenticated.')
    const saved = await send({ params: { id }, query: { edited: edited.join(',') }, body })
    client.setQueriesData<Profile>({ predicate: ({ queryKey }) => queryKey[1] === users.get.path && queryKey[4] === id }, saved)
    return saved
  }
}
