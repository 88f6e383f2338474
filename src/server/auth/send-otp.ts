import { EMAIL_OTP, type auth } from '#contract/auth.ts'
import type { Handler } from '../http/handle.ts'
import { startsPerAddress } from './address-limits.ts'
import { codeHmac, mailCode, makeCode } from './one-time-code.ts'
import { renewChallenge, undoSending } from './store.ts'

export const sendOtp: Handler<typeof auth.sendOtp> = async ({ body, language, address, refuse, deps }) => {
  const { db, env, keys, clock } = deps
  const busy = startsPerAddress(deps)(address)
  if (busy) return refuse('TOO_MANY_REQUESTS', busy)
  const code = makeCode(deps)
  const session = body.session.toLowerCase()
  const renewed = await renewChallenge(db, session, body.email, codeHmac(keys.codePepper, session, code), env.limits, clock.now())
  switch (renewed.kind) {
    case 'gone':
      return refuse('CODE_EXPIRED')
    case 'too-soon':
      return refuse('RESEND_TOO_SOON', { retryAfter: renewed.seconds })
    case 'wait':
      return refuse('TOO_MANY_REQUESTS', { retryAfter: renewed.seconds })
    case 'send':
  }
  const { challenge, before } = renewed
  const undo = () => undoSending(db, challenge, before)
  const isSent = await mailCode(deps, challenge.email, code, challenge.userType, language, undo)
  if (!isSent) return refuse('MAIL_UNAVAILABLE', { retryAfter: 30 })
  return { session: challenge.id, challengeName: EMAIL_OTP }
}
