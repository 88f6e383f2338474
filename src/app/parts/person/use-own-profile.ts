import { useQueryClient } from '@tanstack/react-query'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { useSend } from '#app/api/use-send.ts'
import { users, type Profile, type ProfileChange } from '#contract/users.ts'

interface OwnProfile {
  /** Reads it past every cache, for a save that must not put back what was saved elsewhere. */
  read: () => Promise<Profile>
  /** What it was before is shown no more, and not saved again by the next form, even if it cannot be read anew. */
  save: (body: ProfileChange) => Promise<Profile>
}

/** The signed-in person's profile as it is stored now. Both reject as `useSend` does, or if nobody is signed in. PROFILE-17 */
export function useOwnProfile(): OwnProfile {
  const client = useQueryClient()
  const userId = useReaderId()
  const { send: sendRead } = useSend(users.get)
  const { send: sendUpdate } = useSend(users.update)

  const ownId = () => {
    if (userId === undefined) throw new Error('User not authenticated.')
    return userId
  }
  return {
    read: async () => sendRead({ params: { id: ownId() } }),
    async save(body) {
      const id = ownId()
      const saved = await sendUpdate({ params: { id }, body })
      client.setQueriesData<Profile>({ predicate: ({ queryKey }) => queryKey[1] === users.get.path && queryKey[4] === id }, saved)
      return saved
    },
  }
}
