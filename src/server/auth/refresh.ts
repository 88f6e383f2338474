import type { auth } from '#contract/auth.ts'
import type { Deps } from '../deps.ts'
import { LANGUAGES, type Handler } from '../http/handle.ts'
import { wordsOf } from '../http/words.ts'
import { isRefreshTokenTrue, makeCredentials, readRefreshToken } from './credentials.ts'
import { findSession, takeRefresh, type User } from './store.ts'

/** Rotates, answers a lost reply again, and ends a session whose old token comes back (ruling 4). */
export const refresh: Handler<typeof auth.refresh> = async ({ body, address, refuse, deps }) => {
  const { db, keys, clock, limits, log } = deps
  const claims = readRefreshToken(body.refreshToken)
  const found = claims && (await findSession(db, claims.id))
  if (!claims || !found || !isRefreshTokenTrue(keys, { ...found.session, counter: claims.counter }, claims.hmac)) {
    const busy = await limits.take('refreshesPerAddress', address)
    return busy ? refuse('TOO_MANY_REQUESTS', busy) : refuse('INVALID_TOKEN')
  }
  const { session, user } = found
  // a broken neighbour at the same address uses up nobody's
  const busy = await limits.take('refreshesPerSession', session.id)
  if (busy) return refuse('TOO_MANY_REQUESTS', busy)
  if (user.deactivatedAt) return refuse('SESSION_REVOKED')
  const verdict = await takeRefresh(db, session.id, claims.counter, clock.now())
  switch (verdict.kind) {
    case 'replay':
      log.warn({ sessionId: session.id, userId: user.id }, 'an old refresh token came back: session revoked')
      await tellOwner(deps, user)
      return refuse('SESSION_REVOKED')
    case 'ended':
      return refuse('SESSION_REVOKED')
    case 'rotate':
      return makeCredentials(deps, user, { id: session.id, salt: session.salt, counter: claims.counter + 1 })
    case 'again':
      return makeCredentials(deps, user, { id: session.id, salt: session.salt, counter: verdict.counter })
  }
}

/** The session is ended whether this mail leaves or not. */
async function tellOwner({ mail, log }: Deps, user: User): Promise<void> {
  const language = LANGUAGES.find((one) => one === user.language) ?? 'en'
  const words = wordsOf(language).mail
  const text = `${words['SessionEndedText'] ?? ''}\n\n${words['Signature'] ?? ''}\n`
  const sending = mail.send({ to: user.email, subject: words['SessionEndedSubject'] ?? '', text, language })
  await sending.catch((error: unknown) => log.error({ err: error }, 'the owner of a revoked session could not be told'))
}
