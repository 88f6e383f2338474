import type { auth } from '#contract/auth.ts'
import type { Deps } from '../deps.ts'
import { note } from '../audit/store.ts'
import type { Handler } from '../http/handle.ts'
import { placeOf } from '../reference/places.ts'
import { makeCredentials } from './credentials.ts'
import { deviceSecret } from './known-device.ts'
import { isCodeRight } from './one-time-code.ts'
import { accountOf, guessCode, openSession, type Challenge, type NewPerson } from './store.ts'

/** The account is made here, never before; the type asked for counts only then (ruling 7). */
export const verifyOtp: Handler<typeof auth.verifyOtp> = async ({ body, address, refuse, deps }) => {
  const { db, keys, clock, random, limits } = deps
  const isRight = (challenge: Challenge) => isCodeRight(keys.codePepper, challenge, body.otp)
  const guess = await guessCode(db, { session: body.session, email: body.email, isRight }, clock.now())
  switch (guess.kind) {
    case 'unknown': {
      // a sign-in that is one has its own tries: a broken neighbour at the same address uses up nobody's
      const busy = await limits.take('verifiesPerAddress', address)
      return busy ? refuse('TOO_MANY_REQUESTS', busy) : refuse('INVALID_CODE')
    }
    case 'wrong':
      return refuse('INVALID_CODE')
    case 'expired':
      return refuse('CODE_EXPIRED')
    case 'exhausted':
      return refuse('CODE_EXHAUSTED')
    case 'wait':
      return refuse('TOO_MANY_REQUESTS', { retryAfter: guess.seconds })
    case 'right':
  }
  const user = await accountOf(db, guess.challenge, await personOf(deps, guess.challenge), clock.now())
  // the same outward reply as for a wrong code (promises §4, Deactivate)
  if (user.deactivatedAt) {
    await note(db, { event: 'sign-in-failed', userId: user.id, about: guess.challenge.id }, clock.now())
    return refuse('INVALID_CODE')
  }
  if (user.userType === 'player' && guess.challenge.userType === 'coach') return refuse('USER_TYPE_MISMATCH')
  const session = { id: random.id(), salt: random.bytes(16).toString('base64url'), userId: user.id }
  await openSession(db, session, clock.now())
  const credentials = await makeCredentials(deps, user, { id: session.id, salt: session.salt, counter: 0 })
  return { ...credentials, deviceSecret: deviceSecret(deps, user.email, guess.challenge.device) }
}

/** What a coach gave at onboarding; a place that is not in the lists is asked for again by the profile. */
async function personOf({ random }: Deps, challenge: Challenge): Promise<NewPerson> {
  const { userType, firstName, lastName, country, city } = challenge
  const person = { id: random.id(), firstName: null, lastName: null, countryId: null, cityId: null }
  if (userType !== 'coach') return person
  return { ...person, firstName, lastName, ...(await placeOf(country, city)) }
}
