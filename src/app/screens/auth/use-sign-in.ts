import { useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { messageFor } from '#app/api/message-for.ts'
import { useSend } from '#app/api/use-send.ts'
import { paths } from '#app/paths.ts'
import { storeChallenge, readChallenge } from '#app/session/challenge.ts'
import { ensureSignInDeviceId, knownDevices } from '#app/session/known-devices.ts'
import { errorToast, toasts } from '#app/ui/feedback/toast.ts'
import { useIsGone } from '#app/ui/browser/use-is-gone.ts'
import { useLateNavigate } from '#app/ui/browser/use-late-navigate.ts'
import { auth, EMAIL_OTP } from '#contract/auth.ts'
import type { BodyOf } from '#contract/endpoint.ts'

/** The history state passed to the code screen. */
export interface OtpState {
  /** a code sent earlier is still valid: no second mail was sent (LOGIN-14) */
  isSameCode: boolean
}

/** Whether a code is on its way; if a call failed, its error. */
type Started = { isSent: true } | { isSent: false; error?: unknown }

/** Requests a code for a player or a coach and navigates to the code screen. LOGIN-5, LOGIN-6 */
export function useSignIn(): {
  start: (who: BodyOf<typeof auth.initiate>) => Promise<Started>
  isSending: boolean
  failure: string | undefined
} {
  const { t } = useTranslation('auth')
  const navigate = useLateNavigate()
  const isGone = useIsGone()
  const { send, isSending } = useSend(auth.initiate)
  /** also shown in the form, since the toast disappears; translated on render, as the language may change */
  const [failure, setFailure] = useState<'auth:UnexpectedChallenge' | { error: unknown }>()
  const textOf = (failed: NonNullable<typeof failure>) => (typeof failed === 'string' ? t(failed) : messageFor(failed.error))

  function fail(failed: NonNullable<typeof failure>): Started {
    setFailure(failed)
    if (!isGone.current) errorToast(failed, textOf(failed))
    return typeof failed === 'string' ? { isSent: false } : { isSent: false, error: failed.error }
  }

  async function start(who: BodyOf<typeof auth.initiate>): Promise<Started> {
    if (isSending) return { isSent: false }
    setFailure(undefined)
    toasts.dismiss()
    const before = readChallenge()?.session
    try {
      const { session, challengeName } = await send({ body: { ...who, devices: knownDevices(), deviceId: ensureSignInDeviceId() } })
      if (challengeName !== EMAIL_OTP) return fail('auth:UnexpectedChallenge')
      const latest = readChallenge()?.session
      // whoever has left the screen may have asked for another code since
      if (isGone.current && latest !== before) return { isSent: false }
      const state: OtpState = { isSameCode: session === latest }
      await storeChallenge(session, who.email)
      navigate(paths.otp(), { state })
      return { isSent: true }
    } catch (error) {
      return fail({ error })
    }
  }

  return { start, isSending, failure: failure && textOf(failure) }
}
