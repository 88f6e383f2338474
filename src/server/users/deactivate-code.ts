import { EMAIL_OTP } from '#contract/auth.ts'
import type { users } from '#contract/users.ts'
import { codeHmac, makeCode } from '../auth/one-time-code.ts'
import { sendCode } from '../auth/send-code.ts'
import { startChallenge } from '../auth/store.ts'
import type { Handler } from '../http/handle.ts'
import { findUser } from './store.ts'

/** Takes the place of a device id, so that codes and guesses for closing an account are counted separately from sign-ins. */
const CLOSING_DEVICE = '!close'

/** Sends a code to the account's own e-mail, valid for this session only: an access token is not enough to close an account. */
export const deactivateCode: Handler<typeof users.deactivateCode> = async ({ params, caller, language, refuse, deps }) => {
  const { db, env, keys, random, clock } = deps
  if (params.id !== caller.userId) return refuse('NOT_FOUND')
  const user = await findUser(db, caller.userId)
  if (!user) return refuse('NOT_FOUND')
  const id = random.id()
  const code = makeCode(deps)
  const noProfile = { firstName: null, lastName: null, city: null, country: null }
  const asking = { device: CLOSING_DEVICE, client: caller.sessionId, purpose: 'close-account' as const }
  const start = {
    id,
    codeHmac: codeHmac(keys.codePepper, id, code),
    email: user.email,
    userType: caller.kind,
    language,
    ...noProfile,
    ...asking,
  }
  const started = await startChallenge(db, start, env.limits, clock.now())
  if (started.kind === 'wait') return refuse('TOO_MANY_REQUESTS', { retryAfter: started.seconds })
  if (started.kind === 'send' && !(await sendCode(deps, started.challenge, code, language))) {
    return refuse('MAIL_UNAVAILABLE', { retryAfter: 30 })
  }
  return { session: started.challenge.id, challengeName: EMAIL_OTP }
}
