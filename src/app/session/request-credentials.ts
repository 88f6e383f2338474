import { call } from '#app/api/call.ts'
import { auth } from '#contract/auth.ts'
import type { Credentials } from '#contract/auth.ts'
import { signInDeviceId } from './known-devices.ts'
import type { RefreshReason } from './refresh.ts'

/** Exchanges a refresh token (SESSION-12). Rejects with `ApiError`. */
export function requestCredentials(refreshToken: string, reason: RefreshReason): Promise<Credentials> {
  return call(reason === 'refused' ? auth.automaticRefresh : auth.refresh, { body: { refreshToken, deviceId: signInDeviceId() } })
}
