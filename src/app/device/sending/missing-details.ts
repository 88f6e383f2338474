import { call } from '#app/api/call.ts'
import { network } from '#app/api/network.ts'
import { canOpenBrief } from '#contract/rules/profile.ts'
import { users } from '#contract/users.ts'
import { storedProfiles } from '#app/device/own-reads.ts'

const TIMEOUT_MS = 3000

/**
 * Whether details have to be asked for before Submit is sent (QUESTIONS-19): by the profile as this device last had it, and
 * where that says so or there is none, by the current profile. Nobody waits long for an API that does not respond.
 */
export async function areDetailsMissing(userId: string): Promise<boolean> {
  const stored = await storedProfiles(userId)
  if (stored.some(canOpenBrief)) return false
  const request = { params: { id: userId } }
  const current = network.isReachable() ? await call(users.get, request, { timeoutMs: TIMEOUT_MS }).catch(() => undefined) : undefined
  const profile = current ?? stored[0]
  return profile !== undefined && !canOpenBrief(profile)
}
