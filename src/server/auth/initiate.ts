import { EMAIL_OTP, type auth } from '#contract/auth.ts'
import type { Handler } from '../http/handle.ts'
import { clientOf, unknownDeviceAt, unnamedClient } from './client.ts'
import { knownDevice } from './known-device.ts'
import { codeHmac, makeCode } from './one-time-code.ts'
import { sendCode } from './send-code.ts'
import { startChallenge } from './store.ts'

/** Looks up no account, so that known, unknown and deactivated addresses get the same reply (LOGIN-19). */
export const initiate: Handler<typeof auth.initiate> = async ({ body, language, address, refuse, deps }) => {
  const { db, env, keys, random, clock, limits } = deps
  const { email, userTypeCode: userType, firstName = null, lastName = null, city = null, country = null } = body
  const known = knownDevice(deps, email, body.devices ?? [])
  // known devices are not locked out by others at the same network address
  const busy = known === '' ? await limits.take('startsPerAddress', address) : await limits.take('startsPerDevice', known)
  if (busy) return refuse('TOO_MANY_REQUESTS', busy)
  const id = random.id()
  const code = makeCode(deps)
  const device = known === '' ? unknownDeviceAt(keys, email, address) : known
  const client = clientOf(keys, email, body.deviceId) || unnamedClient(id)
  const person = { email, userType, firstName, lastName, city, country, language }
  const start = { id, codeHmac: codeHmac(keys.codePepper, id, code), ...person, device, client, purpose: 'sign-in' as const }
  const started = await startChallenge(db, start, env.limits, clock.now())
  if (started.kind === 'wait') return refuse('TOO_MANY_REQUESTS', { retryAfter: started.seconds })
  if (started.kind === 'send' && !(await sendCode(deps, started.challenge, code, language))) {
    return refuse('MAIL_UNAVAILABLE', { retryAfter: 30 })
  }
  return { session: started.challenge.id, challengeName: EMAIL_OTP }
}
