import { queryClient } from '#app/api/query-client.ts'
import { queriesRestored } from '#app/api/reads-provider.tsx'
import { readAhead } from '#app/api/use-call.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { instances } from '#contract/instances.ts'
import { users, type Profile } from '#contract/users.ts'
import { copyRestored } from './reads-copy.ts'

/** A player's own profile and instances in the query library's cache. Loaded when first needed, as it imports that library. */

/** The user's profile as this device last read it, once for each language it was read in. */
export async function storedProfiles(userId: string): Promise<Profile[]> {
  await queriesRestored()
  await copyRestored()
  return queryClient
    .getQueriesData<Profile>({ predicate: isOwn(users.get.path, userId) })
    .map(([, profile]) => profile)
    .filter((profile) => profile !== undefined)
}

/** Reads what the dashboard needs and is not cached yet, so that it opens offline too. */
export async function readOwn(userId: string): Promise<void> {
  await queriesRestored()
  const isMissing = ({ path }: Endpoint) =>
    queryClient.getQueriesData({ predicate: isOwn(path, userId) }).every(([, data]) => data === undefined)
  await Promise.all([
    isMissing(users.get) && readAhead(users.get, { params: { id: userId } }),
    isMissing(instances.list) && readAhead(instances.list, { query: { userId } }),
  ])
}

function isOwn(path: string, userId: string) {
  return ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[1] === path && queryKey[4] === userId
}
