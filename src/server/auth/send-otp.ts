import { EMAIL_OTP, type auth } from '#contract/auth.ts'
import type { Handler } from '../http/handler.ts'
import { codeHmac, makeCode } from './one-time-code.ts'
import { sendCode } from './send-code.ts'
import { renewChallenge } from './store.ts'

/** Mails a new code for a sign-in that was started before; the previous code stops working. LOGIN-15 */
export const sendOtp: Handler<typeof auth.sendOtp> = async ({ body, language, networkAddress, refuse, deps }) => {
  const { db, env, keys, clock, limits } = deps
  const code = makeCode(deps)
  const challengeId = body.session.toLowerCase()
  const renewed = await renewChallenge(db, challengeId, body.email, codeHmac(keys.codePepper, challengeId, code), env.limits, clock.now())
  switch (renewed.kind) {
    case 'expired': {
      const wait = await limits.take('startsPerAddress', networkAddress)
      return wait ? refuse('TOO_MANY_REQUESTS', wait) : refuse('CODE_EXPIRED')
    }
    case 'too-soon':
      return refuse('RESEND_TOO_SOON', { retryAfter: renewed.seconds })
    case 'wait':
      return refuse('TOO_MANY_REQUESTS', { retryAfter: renewed.seconds })
    case 'send':
  }
  const { challenge, before } = renewed
  if (!(await sendCode(deps, challenge, code, language, before))) return refuse('MAIL_UNAVAILABLE', { retryAfter: 30 })
  return { session: challenge.id, challengeName: EMAIL_OTP }
}
