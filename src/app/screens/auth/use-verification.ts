import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { isApiError } from '#app/api/api-error.ts'
import { callWith } from '#app/api/call.ts'
import { messageFor } from '#app/api/message-for.ts'
import { useSend } from '#app/api/use-send.ts'
import { i18n } from '#app/i18n/i18n.ts'
import { paths } from '#app/paths.ts'
import { clearTried, noteTried, removeChallenge, readChallenge, type SignInUnderWay } from '#app/session/challenge.ts'
import { storeKnownDevice } from '#app/session/known-devices.ts'
import { takeTarget } from '#app/session/return-to.ts'
import { begin, session } from '#app/session/session.ts'
import { useIsScreenLeft } from '#app/ui/browser/use-late-navigate.ts'
import { errorToast, toasts } from '#app/ui/feedback/toast.ts'
import { auth, type Credentials } from '#contract/auth.ts'
import { normalEmail } from '#contract/rules/email.ts'

/** Why the last attempt failed. */
interface Failure {
  text: string
  /** `undecided`: the same code may still work. `wrong`: another code may. `spent`: a new sign-in is needed. `used`: perhaps by a try without a reply. */
  kind: 'undecided' | 'wrong' | 'spent' | 'used'
  /** the address is a player's: sign in as one, or register with another address */
  playerEmail?: string
}

// after these no code of this sign-in works (ONBOARD-5, LOGIN-22)
const SPENDING = new Set(['CODE_EXPIRED', 'CODE_EXHAUSTED', 'USER_TYPE_MISMATCH', 'ACCOUNT_CLOSED', 'ADDRESS_BLOCKED'])
/** The challenge is removed as well. */
const REMOVES_CHALLENGE = new Set(['USER_TYPE_MISMATCH', 'ACCOUNT_CLOSED', 'ADDRESS_BLOCKED'])

function kindOf(error: unknown): Failure['kind'] {
  // signed in, but the device could not store the session
  if (!isApiError(error)) return 'spent'
  if (error.isTransient) return 'undecided'
  return SPENDING.has(error.code ?? '') ? 'spent' : 'wrong'
}

const isForAnother = (latest: string | undefined, email: string) => latest !== undefined && normalEmail(latest) !== normalEmail(email)

const isStored = ({ session }: SignInUnderWay) => readChallenge()?.session === session

/** Whoever has left the screen has given up this sign-in, and somebody else may be at the device: the server ends the session. */
function endUnused({ accessToken }: Credentials): void {
  callWith(auth.logout, {}, { isKeptAlive: true }, accessToken).catch((error: unknown) =>
    console.warn('The server was not told of a sign-in that was given up', error),
  )
}

interface Verification {
  /** the sign-in that the screen names */
  asked: SignInUnderWay | undefined
  onWrong: () => void
}

/** Verifies a code and signs in. LOGIN-10 to LOGIN-12 */
export function useVerification({ asked, onWrong }: Verification) {
  const [, navigate] = useLocation()
  const { send } = useSend(auth.verifyOtp)
  const [isVerifying, setIsVerifying] = useState(false)
  const [failed, setFailed] = useState<Omit<Failure, 'text'> & { textOf: () => string }>()
  const isLeft = useIsScreenLeft()
  // a tap and the returning connection may coincide: send the code once
  const isUnderWay = useRef(false)
  /** so that a code whose reply was lost still works */
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  /** a code that got no reply: the server may have accepted it */
  const unanswered = useRef<string>(undefined)

  function startOver(): void {
    // if another tab has signed in, ForGuests redirects home
    if (session.get().status === 'guest') errorToast('auth:SessionExpired')
    navigate(paths.login(), { replace: true })
  }

  async function verify(otp: string): Promise<void> {
    if (isUnderWay.current) return
    // another tab may have asked for a newer code
    const stored = readChallenge()
    // or what it asked for is another person's, or used up: this code is for the address on the screen
    const isOwn = stored !== undefined && (!asked || !isForAnother(stored.email, asked.email))
    const underWay = isOwn ? stored : asked
    if (!underWay) return startOver()
    isUnderWay.current = true
    setIsVerifying(true)
    setFailed(undefined)
    toasts.dismiss()
    // also by another tab since this one was opened
    const wasTried = asked?.isTried || underWay.isTried
    try {
      if (isOwn) await noteTried()
      const credentials = await send({ body: { session: underWay.session, email: underWay.email, otp } }, { idempotencyKey })
      if (isLeft.current) {
        if (isStored(underWay)) removeChallenge()
        return endUnused(credentials)
      }
      await begin(credentials)
      storeKnownDevice(credentials.deviceSecret)
      removeChallenge()
      navigate(takeTarget(session.get().user?.id), { replace: true })
    } catch (error) {
      if (isLeft.current && !isStored(underWay)) return
      if (isOwn && isApiError(error) && REMOVES_CHALLENGE.has(error.code ?? '')) removeChallenge()
      const isOtherType = isApiError(error) && error.code === 'USER_TYPE_MISMATCH'
      const mayBeUsed = isApiError(error) && error.code === 'INVALID_CODE' && (wasTried || unanswered.current === otp)
      if (isApiError(error) && error.isOutcomeUnknown) unanswered.current = otp
      const kind = mayBeUsed ? 'used' : kindOf(error)
      // the code of an earlier try that got no reply may be used up all the same
      const isLostOther = unanswered.current !== undefined && unanswered.current !== otp
      // what nobody judged says nothing of an earlier try without a reply
      const isLostStill =
        isApiError(error) && (error.isOutcomeUnknown || (kind === 'undecided' && (wasTried || unanswered.current === otp)))
      if (isOwn && !mayBeUsed && !isLostOther && !isLostStill) clearTried()
      const textOf = () => (mayBeUsed ? i18n.t('auth:CodeMayBeUsed') : messageFor(error))
      // another tab may have signed in with the same code
      const isNeeded = !isLeft.current && session.get().status === 'guest'
      if (isNeeded) errorToast(mayBeUsed ? 'auth:CodeMayBeUsed' : { error }, textOf())
      setFailed(isOtherType ? { kind, textOf, playerEmail: underWay.email } : { kind, textOf })
      if (kind !== 'undecided') onWrong()
      setIsVerifying(false)
      isUnderWay.current = false
    }
  }

  function forgetFailure(): void {
    setFailed(undefined)
    // on a small screen it covers the field
    toasts.dismiss()
  }

  // translated on render, as the language may change
  const failure: Failure | undefined = failed && { ...failed, text: failed.textOf() }
  return { verify, isVerifying, failure, forgetFailure, startOver }
}
