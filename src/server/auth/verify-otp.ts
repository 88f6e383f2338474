import type { auth } from '#contract/auth.ts'
import type { Deps } from '../deps.ts'
import type { Handler } from '../http/handler.ts'
import { knownPlaceOf } from '../reference/places.ts'
import { agentOf, clientKeyName } from './client.ts'
import { makeCredentials } from './credentials.ts'
import { refuseGuess } from './guess.ts'
import { deviceSecret } from './known-device.ts'
import { isCodeRight } from './one-time-code.ts'
import { isUnknownDevice, isUnnamed } from './count-keys.ts'
import { signIn } from './sign-in-store.ts'
import { guessCode, type Challenge } from './store.ts'

/** Creates the account, never earlier; the requested type matters only then (LOGIN-21). */
export const verifyOtp: Handler<typeof auth.verifyOtp> = async ({ body, networkAddress, header, refuse, deps }) => {
  const { db, keys, clock, random, limits } = deps
  const isRight = (challenge: Challenge) => isCodeRight(keys.codePepper, challenge, body.otp)
  const guess = await guessCode(db, { challengeId: body.session, email: body.email, purpose: 'sign-in', isRight }, clock.now())
  // a challenge has attempts of its own, which others at the same network address cannot use up
  const wait = guess.kind === 'unknown' ? await limits.take('verifiesPerAddress', networkAddress) : undefined
  if (wait) return refuse('TOO_MANY_REQUESTS', wait)
  if (guess.kind !== 'right') return refuseGuess(guess, refuse)
  const { challenge } = guess
  const requester = { client: sessionClient(deps, challenge), agent: agentOf(header('user-agent')) }
  const session = { id: random.id(), salt: random.bytes(16).toString('base64url'), ...requester }
  const signedIn = await signIn(db, { challenge, person: await personOf(deps, challenge), session }, clock.now())
  switch (signedIn.kind) {
    case 'used':
      return refuse('INVALID_CODE')
    case 'blocked':
      return refuse('ADDRESS_BLOCKED')
    case 'closed':
      // the caller has proved to own the address, so they may be told (LOGIN-22)
      return refuse('ACCOUNT_CLOSED')
    case 'other-type':
      return refuse('USER_TYPE_MISMATCH')
    case 'signed-in':
  }
  const { user, isNewDevice } = signedIn
  if (isNewDevice) deps.jobs.wake('mails')
  // the account may be new, made by this sign-in
  if (user.userType === 'coach') await deps.replica?.noteWrite(user.id)
  const credentials = await makeCredentials(deps, user, { id: session.id, salt: session.salt, counter: 0 })
  return { ...credentials, deviceSecret: deviceSecret(deps, user.email, isUnknownDevice(challenge.device) ? '' : challenge.device) }
}

/** '' also if REFRESH_KEY was changed since the code was sent: the device's id, hashed anew, would seem to be another's. */
function sessionClient({ keys }: Deps, { client, clientKey }: Challenge): string {
  return isUnnamed(client) || (clientKey !== null && clientKey !== clientKeyName(keys)) ? '' : client
}

/** What a coach entered at onboarding; the profile asks again for a place that is not in the lists. */
async function personOf({ random }: Deps, challenge: Challenge) {
  const { userType, firstName, lastName, country, city } = challenge
  const person = { id: random.id(), firstName: null, lastName: null, countryId: null, cityId: null }
  if (userType !== 'coach') return person
  return { ...person, firstName, lastName, ...(await knownPlaceOf(country, city)) }
}
