import { call } from '#app/api/call.ts'
import { network } from '#app/api/network.ts'
import { queryClient } from '#app/api/query-client.ts'
import { readsAreBack } from '#app/api/reads-provider.tsx'
import { canOpenBrief } from '#contract/rules/profile.ts'
import { users, type Profile } from '#contract/users.ts'

const PATIENCE_MS = 3000

/**
 * Whether details have to be asked for before Submit is sent (ruling 27): by the profile as this device last had it, and
 * where that says so or there is none, by the profile of now. Nobody is held up by an API that does not answer.
 */
export async function areDetailsMissing(userId: string): Promise<boolean> {
  await readsAreBack()
  const isOwnProfile = (key: readonly unknown[]) => key[1] === users.get.path && key[4] === userId
  const stored = queryClient
    .getQueriesData<Profile>({ predicate: ({ queryKey }) => isOwnProfile(queryKey) })
    .map(([, profile]) => profile)
    .filter((profile) => profile !== undefined)
  if (stored.some(canOpenBrief)) return false
  const request = { params: { id: userId } }
  const current = network.isReachable() ? await call(users.get, request, { timeoutMs: PATIENCE_MS }).catch(() => undefined) : undefined
  const profile = current ?? stored[0]
  return profile !== undefined && !canOpenBrief(profile)
}
