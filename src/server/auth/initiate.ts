import { EMAIL_OTP, type auth } from '#contract/auth.ts'
import type { Handler } from '../http/handle.ts'
import { startsPerAddress } from './address-limits.ts'
import { knownDevice } from './known-device.ts'
import { codeHmac, mailCode, makeCode } from './one-time-code.ts'
import { startChallenge, undoSending } from './store.ts'

/** Looks at no account, so that known, unknown and deactivated addresses are answered alike (promises C6). */
export const initiate: Handler<typeof auth.initiate> = async ({ body, language, address, refuse, deps }) => {
  const { db, env, keys, random, clock } = deps
  const busy = startsPerAddress(deps)(address)
  if (busy) return refuse('TOO_MANY_REQUESTS', busy)
  const id = random.id()
  const code = makeCode(deps)
  const { email, userTypeCode: userType, firstName = null, lastName = null, city = null, country = null } = body
  const device = knownDevice(deps, email, body.devices ?? [])
  const person = { email, userType, firstName, lastName, city, country, language }
  const start = { id, codeHmac: codeHmac(keys.codePepper, id, code), ...person, device }
  const started = await startChallenge(db, start, env.limits, clock.now())
  if (started.kind === 'wait') return refuse('TOO_MANY_REQUESTS', { retryAfter: started.seconds })
  if (started.kind === 'send') {
    const { challenge } = started
    const isSent = await mailCode(deps, email, code, userType, language, () => undoSending(db, challenge, null))
    if (!isSent) return refuse('MAIL_UNAVAILABLE', { retryAfter: 30 })
  }
  return { session: started.challenge.id, challengeName: EMAIL_OTP }
}
