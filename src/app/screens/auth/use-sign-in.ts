import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { messageFor } from '#app/api/message-for.ts'
import { useSend } from '#app/api/use-send.ts'
import { paths } from '#app/paths.ts'
import { keepChallenge } from '#app/session/challenge.ts'
import { errorToast } from '#app/ui/toast.ts'
import { auth, EMAIL_OTP } from '#contract/auth.ts'
import type { BodyOf } from '#contract/endpoint.ts'

/** Asks for a challenge and goes to the code screen with it; the player's and the coach's way alike. §4 Sign-in, §8 Authentication */
export function useSignIn(): { start: (who: BodyOf<typeof auth.initiate>) => Promise<void>; isSending: boolean } {
  const { t } = useTranslation('auth')
  const [, navigate] = useLocation()
  const { send, isSending } = useSend(auth.initiate)

  async function start(who: BodyOf<typeof auth.initiate>): Promise<void> {
    if (isSending) return
    try {
      const { session, challengeName } = await send({ body: who })
      if (challengeName !== EMAIL_OTP) return errorToast(t('UnexpectedChallenge'))
      keepChallenge(session, who.email)
      navigate(paths.otp())
    } catch (error) {
      errorToast(messageFor(error))
    }
  }

  return { start, isSending }
}
