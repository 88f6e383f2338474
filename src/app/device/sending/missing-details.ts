import { call } from '#app/api/call.ts'
import { network } from '#app/api/network.ts'
import { canOpenBrief } from '#contract/rules/profile.ts'
import { users } from '#contract/users.ts'
import { storedProfiles } from '#app/device/own-reads.ts'

const TIMEOUT_MS = 3000

/**
 * Whether the player must complete the profile before Submit is sent (QUESTIONS-19). If the stored profile is incomplete or there
 * is none, the current one is read, for at most 3 s. False if neither is available.
 */
export async function areDetailsMissing(userId: string): Promise<boolean> {
  const stored = await storedProfiles(userId)
  if (stored.some(canOpenBrief)) return false
  const request = { params: { id: userId } }
  const current = network.isReachable()
    ? await call(users.get, request, { timeoutMs: TIMEOUT_MS, userId }).catch(() => undefined)
    : undefined
  const profile = current ?? stored[0]
  return profile !== undefined && !canOpenBrief(profile)
}
