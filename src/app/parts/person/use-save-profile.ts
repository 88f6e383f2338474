import { useQueryClient } from '@tanstack/react-query'
import { isApiError } from '#app/api/api-error.ts'
import { call } from '#app/api/call.ts'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { useSend } from '#app/api/use-send.ts'
import { users, type Profile, type ProfileChange, type ProfileField } from '#contract/users.ts'

interface Edited {
  fields: readonly ProfileField[]
  /** of the profile in which they were edited */
  version: string | undefined
}

/**
 * Saves what the signed-in person has edited of their profile, and resolves to the profile as it is stored then; rejects as `useSend` does,
 * or if nobody is signed in (PROFILE-17). Not `isSaved`: another save has come first, and its changes have to be merged with these.
 * What the profile was before is shown no more, and not saved again by the next form, even if it cannot be read anew.
 */
export function useSaveProfile(): (body: ProfileChange, edited: Edited) => Promise<{ profile: Profile; isSaved: boolean }> {
  const client = useQueryClient()
  const id = useReaderId()
  const { send } = useSend(users.update)
  return async (body, { fields, version }) => {
    if (id === undefined) throw new Error('User not authenticated.')
    const result = await send({ params: { id }, query: { edited: fields.join(','), version }, body }).then(
      (profile) => ({ profile, isSaved: true }),
      async (error: unknown) => {
        if (!isApiError(error) || error.code !== 'PROFILE_CHANGED') throw error
        const profile = await call(users.get, { params: { id } }, { userId: id }).catch(() => {
          throw error
        })
        return { profile, isSaved: false }
      },
    )
    client.setQueriesData<Profile>({ predicate: ({ queryKey }) => queryKey[1] === users.get.path && queryKey[4] === id }, result.profile)
    return result
  }
}
