import { useQueryClient } from '@tanstack/react-query'
import { useSend } from '#app/api/use-send.ts'
import { users, type Profile, type ProfileChange } from '#contract/users.ts'

/** Reads the signed-in person's profile as it is stored now, for a save that must not put back what was saved elsewhere; rejects as `useSend` does. */
export function useReadProfile(): (id: string) => Promise<Profile> {
  const { send } = useSend(users.get)
  return (id) => send({ params: { id } })
}

/**
 * Saves the signed-in person's profile; rejects as `useSend` does. What it was before is shown no more, and not saved again by the next
 * form, even if it cannot be read anew.
 */
export function useSaveProfile(): (id: string, body: ProfileChange) => Promise<Profile> {
  const client = useQueryClient()
  const { send } = useSend(users.update)
  return async (id, body) => {
    const saved = await send({ params: { id }, body })
    client.setQueriesData<Profile>({ predicate: ({ queryKey }) => queryKey[1] === users.get.path && queryKey[4] === id }, saved)
    return saved
  }
}
