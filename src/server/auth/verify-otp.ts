import type { auth } from '#contract/auth.ts'
import { dateText } from '#contract/rules/dates.ts'
import { screens } from '#contract/screens.ts'
import type { Deps } from '../deps.ts'
import { appendAuditEntry } from '../audit/store.ts'
import type { Handler } from '../http/handler.ts'
import { storedLanguage, wordsOf } from '../words/words.ts'
import { knownPlaceOf } from '../reference/places.ts'
import { isBlocked } from './blocks-store.ts'
import { agentOf, clientKeyName } from './client.ts'
import { makeCredentials } from './credentials.ts'
import { refuseGuess } from './guess.ts'
import { deviceSecret } from './known-device.ts'
import { notifyOwner } from './notices.ts'
import { isCodeRight } from './one-time-code.ts'
import { openSession } from './sessions-store.ts'
import { isUnknownDevice, isUnnamed } from './count-keys.ts'
import { findOrCreateAccount, guessCode, type Challenge, type NewPerson, type User } from './store.ts'

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
  // before an account is made
  if (await isBlocked(db, challenge.emailNormal)) return refuse('ADDRESS_BLOCKED')
  const { user, isNew } = await findOrCreateAccount(db, challenge, await personOf(deps, challenge), clock.now())
  // the caller has proved to own the address, so they may be told that the account is closed (LOGIN-22)
  if (user.deactivatedAt) {
    await appendAuditEntry(db, { event: 'sign-in-failed', userId: user.id, about: challenge.id }, clock.now())
    return refuse('ACCOUNT_CLOSED')
  }
  if (user.userType === 'player' && challenge.userType === 'coach') return refuse('USER_TYPE_MISMATCH')
  const requester = { client: sessionClient(deps, challenge), agent: agentOf(header('user-agent')) }
  const session = { id: random.id(), salt: random.bytes(16).toString('base64url'), userId: user.id, ...requester }
  const opening = await openSession(db, session, clock.now())
  if (opening !== 'opened') return refuse(opening === 'blocked' ? 'ADDRESS_BLOCKED' : 'ACCOUNT_CLOSED')
  // the account may be new, made by this sign-in
  if (user.userType === 'coach') await deps.replica?.noteWrite(user.id)
  const isKnown = !isUnknownDevice(challenge.device)
  if (!isNew && !isKnown) {
    await appendAuditEntry(db, { event: 'new-device', userId: user.id, about: session.id }, clock.now())
    // signing in does not wait for the mail server
    void notifyOfNewDevice(deps, user, requester.agent)
  }
  const credentials = await makeCredentials(deps, user, { id: session.id, salt: session.salt, counter: 0 })
  return { ...credentials, deviceSecret: deviceSecret(deps, user.email, isKnown ? challenge.device : '') }
}

/** '' also if REFRESH_KEY was changed since the code was sent: the device's id, hashed anew, would seem to be another's. */
function sessionClient({ keys }: Deps, { client, clientKey }: Challenge): string {
  return isUnnamed(client) || (clientKey !== null && clientKey !== clientKeyName(keys)) ? '' : client
}

/** Anybody who reads the owner's mail can sign in as the owner, so the mail says how to end that session. */
async function notifyOfNewDevice(deps: Deps, user: User, agent: string): Promise<void> {
  const language = storedLanguage(user.language)
  const time = dateText(deps.clock.now(), language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  const name = agent || (wordsOf(language).mail['SomeDevice'] ?? '')
  await notifyOwner(deps, user, 'new-device', { agent: name, time, link: `${deps.env.publicUrl}${screens.profile.path}` })
}

/** What a coach entered at onboarding; the profile asks again for a place that is not in the lists. */
async function personOf({ random }: Deps, challenge: Challenge): Promise<NewPerson> {
  const { userType, firstName, lastName, country, city } = challenge
  const person = { id: random.id(), firstName: null, lastName: null, countryId: null, cityId: null }
  if (userType !== 'coach') return person
  return { ...person, firstName, lastName, ...(await knownPlaceOf(country, city)) }
}
